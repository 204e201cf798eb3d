import type { Direction, KnotStatus } from '#semantic/shape.ts';
import type { BinaryRowOf } from '#sql/statement-types.ts';
import type { Asset } from './asset.ts';

export interface Knot {
  /** Owner of the history. */
  readonly wallet: string;
  readonly timestamp: number;
  readonly block: number;
  readonly txIndex: number;
  /** -1: the transaction itself. */
  readonly logIndex: number;
  /** Index among the token transfers of one log. */
  readonly part: number;
  readonly txHash: string;
  readonly kind: string;
  readonly direction: Direction;
  readonly status: KnotStatus;
  readonly failReason: string;
  readonly moved: Amount;
  /** Received in exchange; undefined: nothing. */
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

/** In a finalized block; hex is lower case. method_id: first four bytes of the input, fewer for a plain transfer. */
export type KnotTransaction = BinaryRowOf<'knot_transactions'>;

export type KnotLog = BinaryRowOf<'knot_logs'>;

/** Facts from outside the chain's own rows. */
export interface KnotFacts {
  readonly native: Asset;
  tokenOf(address: string): Asset;
  /** '': unknown. */
  failReasonOf(txHash: string): string;
}
