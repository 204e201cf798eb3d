import type { Addition, ExportKind, TableSum } from '#client/index.ts';

export type TableSums = Readonly<Record<ExportKind, TableSum>>;

export interface Holding {
  /** First and last block; undefined if empty. */
  readonly blocks: { readonly from: number; readonly to: number } | undefined;
  /** Computed from the stored rows. */
  readonly tables: TableSums;
}

/** Storage of a copy of the chain. Methods can be repeated after a kill. */
export interface Target {
  /** Returns the position of the last stored range, `<blockNumber>-<blockHash>-<generation>`; undefined if empty. */
  position(): Promise<string | undefined>;
  add(range: Addition): Promise<void>;
  /** Removes blocks from `fromBlock` on, and possibly earlier ones. @returns the new position */
  remove(fromBlock: number): Promise<string | undefined>;
  /** Returns counts and digests of the rows up to a block. */
  sum(toBlock: number): Promise<Holding>;
  close(): Promise<void>;
}

/** Block number and hash. */
export const getBlock = (position: string | undefined): string | undefined =>
  position?.split('-').slice(0, 2).join('-');

/** Returns the reorg generation of a position; 0 if it has none. */
export const getGeneration = (position: string): number => Number(position.split('-')[2] ?? 0);

export const toPosition = (toBlock: number | string, hash: string, generation: number): string =>
  `${toBlock}-${hash}${generation > 0 ? `-${generation}` : ''}`;

/** Existing table with a name that a copy uses. */
export interface PresentTable {
  readonly name: string;
  /** Whether the table has the column from_block. */
  readonly has_range: number | boolean;
}

/** @throws Error if the database has tables with the names of a copy, but no copy: they belong to another program */
export function assertOwnTables(place: string, tables: readonly PresentTable[]): void {
  const [first] = tables;
  if (!first || tables.some(({ name, has_range }) => name === 'commits' && has_range)) return;
  throw new Error(`${place} has the table ${first.name}, but no copy of the chain: use another one`);
}

/** @param position of the copy; undefined if empty @throws Error if another process has written since */
export function assertContinues(position: string | undefined, { fromBlock }: Addition): void {
  const last = position?.split('-')[0];
  if (last !== undefined && Number(last) + 1 !== fromBlock)
    throw new Error(
      `the copy ends at block ${last}, not before block ${fromBlock}: does another process write into it?`,
    );
}

/** Tables of a mirror, in write order. */
export const tableOrder = ['transactions', 'transfers', 'logs', 'anchors'] as const satisfies readonly ExportKind[];
