import type { Addition, ExportKind, TableSum } from '#client/index.ts';

export type TableSums = Readonly<Record<ExportKind, TableSum>>;

/** What a copy holds. */
export interface Holding {
  /** First and last block; undefined: none. */
  readonly blocks: { readonly from: number; readonly to: number } | undefined;
  /** Row count and digest of each table, computed from the stored rows. */
  readonly tables: TableSums;
}

/** A place where a copy of the chain is kept. After a kill, a method may be repeated. */
export interface Target {
  /** Returns the position up to which the copy is complete, `<blockNumber>-<blockHash>`; undefined: it is empty. */
  position(): Promise<string | undefined>;
  /** Stores a range of blocks behind the position. */
  add(range: Addition): Promise<void>;
  /** Removes all blocks from `fromBlock` on, and perhaps some blocks before it. @returns the new position */
  remove(fromBlock: number): Promise<string | undefined>;
  /** Counts the stored rows up to a block, and computes their digests. */
  sum(toBlock: number): Promise<Holding>;
  close(): Promise<void>;
}

/** Tables of a copy, in the order in which they are written: blocks last, because they complete a range. */
export const tableOrder = ['transactions', 'transfers', 'logs', 'anchors'] as const satisfies readonly ExportKind[];
