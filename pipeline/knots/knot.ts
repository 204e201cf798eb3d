/** Events of wallets, as they are derived from a block. */
import type { Direction, KnotStatus } from '#semantic/shape.ts';
import type { BinaryRowOf } from '#sql/statement-types.ts';
import type { Asset } from './asset.ts';

export interface Knot {
  /** Whose history it is part of. */
  readonly wallet: string;
  readonly timestamp: number;
  readonly block: number;
  readonly txIndex: number;
  /** -1: the transaction itself. */
  readonly logIndex: number;
  /** Which of several tokens that one log moves. */
  readonly part: number;
  readonly txHash: string;
  readonly kind: string;
  readonly direction: Direction;
  readonly status: KnotStatus;
  readonly failReason: string;
  readonly moved: Amount;
  /** What came back for it; undefined: nothing. */
  readonly second: Amount | undefined;
  readonly tokenId: bigint | undefined;
  /** The other side; zeros: nobody. */
  readonly counterparty: string;
  /** 0x and 8 hex digits; 0x of a plain transfer. */
  readonly methodId: string;
  readonly method: string;
  /** Wei; 0 where somebody else paid. */
  readonly fee: bigint;
}

export interface Amount {
  readonly asset: Asset;
  /** Smallest units. */
  readonly amount: bigint;
}

/**
 * A transaction, of a settled block. Hex is lower case; method_id is the first four bytes of its input, less of a plain
 * transfer.
 */
export type KnotTransaction = BinaryRowOf<'knot_transactions'>;

/** A log that knots are derived from. */
export type KnotLog = BinaryRowOf<'knot_logs'>;

/** What is known beside the chain's own rows. */
export interface KnotFacts {
  readonly native: Asset;
  tokenOf(address: string): Asset;
  /** Why a failed transaction failed; '' when nobody knows. */
  failReasonOf(txHash: string): string;
}
