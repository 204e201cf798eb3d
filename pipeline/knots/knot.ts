import type { Direction, KnotStatus } from '#semantic/shape.ts';
import type { BinaryRowOf } from '#sql/statement-types.ts';
import type { Asset } from './asset.ts';

export interface Knot {
  readonly wallet: string;
  readonly timestamp: number;
  readonly block: number;
  readonly txIndex: number;
  /** -1: the transaction itself. */
  readonly logIndex: number;
  /** A log may hold several token transfers. */
  readonly part: number;
  readonly txHash: string;
  readonly kind: string;
  readonly direction: Direction;
  readonly status: KnotStatus;
  readonly failReason: string;
  readonly moved: Amount;
  /** Undefined: nothing was exchanged. */
  readonly second: Amount | undefined;
  readonly tokenId: bigint | undefined;
  /** Zeros: none. */
  readonly counterparty: string;
  /** 0x and 8 hex digits; 0x: plain transfer. */
  readonly methodId: string;
  readonly method: string;
  /** Wei; 0 if another wallet paid. */
  readonly fee: bigint;
}

export interface Amount {
  readonly asset: Asset;
  /** Smallest units. */
  readonly amount: bigint;
}

/** In a finalized block; hex is lower case. method_id is shorter than 4 bytes if the input is. */
export type KnotTransaction = BinaryRowOf<'knot_transactions'>;

export type KnotLog = BinaryRowOf<'knot_logs'>;

export interface KnotFacts {
  readonly native: Asset;
  tokenOf(address: string): Asset;
  /** '': unknown. */
  failReasonOf(txHash: string): string;
}
