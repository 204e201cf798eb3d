import type { Direction, KnotStatus } from '../shape.ts';

interface Understood {
  /** As written in the query. */
  readonly words: string;
}

/** Unix seconds, inclusive; either end may be open. */
export interface TimeWindow extends Understood {
  readonly fromTime: number | undefined;
  readonly toTime: number | undefined;
}

/** Inclusive, whole tokens or US dollars. */
export interface AmountBounds extends Understood {
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly isStrict: boolean;
  readonly unit: 'token' | 'usd';
}

export type Order = 'largest' | 'smallest' | 'latest' | 'earliest';

/** `isHard`: excludes others; else ranks them lower. */
export interface ShapePredicate<T> extends Understood {
  readonly value: T;
  readonly isHard: boolean;
}

export interface KnotIds {
  /** 0x hex, lower case. */
  readonly transactionHash?: Understood & { readonly value: string };
  readonly address?: Understood & { readonly value: string };
  readonly blockNumber?: Understood & { readonly value: number };
  /** Decimal. */
  readonly tokenId?: Understood & { readonly value: string };
}

export interface ParsedQuery {
  readonly direction: ShapePredicate<Direction> | undefined;
  readonly status: ShapePredicate<KnotStatus> | undefined;
  readonly kinds: ShapePredicate<readonly string[]> | undefined;
  /** Upper case; each must be the first or second token. */
  readonly tokens: readonly ShapePredicate<string>[];
  readonly tokenClass: ShapePredicate<string> | undefined;
  /** Of a conversion. */
  readonly into: ShapePredicate<string> | undefined;
  readonly amount: AmountBounds | undefined;
  readonly time: TimeWindow | undefined;
  readonly ids: KnotIds;
  readonly order: (Understood & { readonly value: Order; readonly isHard: boolean }) | undefined;
  /** Searched by meaning. */
  readonly residual: string;
}
