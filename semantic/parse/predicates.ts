import type { Direction, KnotStatus } from '../shape.ts';

interface Understood {
  readonly words: string;
}

/** Period, Unix seconds, inclusive. Undefined: no start or no end. */
export interface TimeWindow extends Understood {
  readonly fromTime: number | undefined;
  readonly toTime: number | undefined;
}

/** Range of amounts, inclusive unless `isStrict`. */
export interface AmountBounds extends Understood {
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly isStrict: boolean;
  /** Default: `isStrict`. */
  readonly isMaxStrict?: boolean;
  readonly unit: 'token' | 'usd';
}

export type Order = 'largest' | 'smallest' | 'latest' | 'earliest';

/** Condition on the kind of event. Other events are excluded if `isHard`, otherwise they rank lower. */
export interface ShapePredicate<T> extends Understood {
  readonly value: T;
  readonly isHard: boolean;
}

export interface KnotIds {
  readonly transactionHash?: Understood & { readonly value: string };
  readonly address?: Understood & { readonly value: string };
  readonly blockNumber?: Understood & { readonly value: number };
  /** First and last block, inclusive. */
  readonly blocks?: Understood & { readonly from: number | undefined; readonly to: number | undefined };
  readonly tokenId?: Understood & { readonly value: string };
}

export interface ParsedQuery {
  readonly direction: ShapePredicate<Direction> | undefined;
  readonly status: ShapePredicate<KnotStatus> | undefined;
  readonly kinds: ShapePredicate<readonly string[]> | undefined;
  /** Token symbols, upper case. An event matches if it sends or receives the token. */
  readonly tokens: readonly ShapePredicate<string>[];
  /** "USDC or DAI": one of the tokens is enough, also for a swap. */
  readonly isAnyToken: boolean;
  readonly tokenClass: ShapePredicate<string> | undefined;
  readonly into: ShapePredicate<string> | undefined;
  readonly amount: AmountBounds | undefined;
  readonly time: TimeWindow | undefined;
  readonly ids: KnotIds;
  readonly order: (Understood & { readonly value: Order; readonly isHard: boolean }) | undefined;
  /** Remaining query words for the ranking. */
  readonly residual: string;
}
