import type { Direction, KnotStatus } from '#semantic/shape.ts';
import type { BinaryRowOf } from '#sql/statement-types.ts';
import type { Asset } from './asset.ts';

export interface Knot {
  readonly wallet: string;
  readonly timestamp: number;
  readonly block: number;
  readonly txIndex: number;
  /** Log that caused the wallet event; -1 for the transaction itself. */
  readonly logIndex: number;
  /** Index of the token transfer within its log. */
  readonly part: number;
  readonly txHash: string;
  readonly kind: string;
  readonly direction: Direction;
  readonly status: KnotStatus;
  readonly failReason: string;
  readonly moved: Amount;
  /** Amount received in exchange; undefined without an exchange. */
  readonly second: Amount | undefined;
  readonly tokenId: bigint | undefined;
  /** Other party; the zero address if there is none. */
  readonly counterparty: string;
  /** Selector of the called function; 0x for a plain transfer. */
  readonly methodId: string;
  readonly method: string;
  /** Transaction fee, wei; 0 except in the sender's first event. */
  readonly fee: bigint;
}

export interface Amount {
  readonly asset: Asset;
  readonly amount: bigint;
}

/** Finalized, lower-case hex. `method_id` has fewer than 4 bytes if the input has. */
export type KnotTransaction = BinaryRowOf<'knot_transactions'>;

export type KnotLog = BinaryRowOf<'knot_logs'>;

export interface KnotFacts {
  readonly native: Asset;
  /** Token that wraps the coin. If undefined, each contract with such events counts as it. */
  readonly wrapped?: string | undefined;
  getToken(address: string): Asset;
  getFailReason(txHash: string): string;
}
