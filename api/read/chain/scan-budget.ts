/**
 * Pages of lists with conditions that have no key. A condition that hardly a row meets must not make a request read a whole
 * history: a page looks through so many rows and no more, and its cursor goes on where it stopped, whatever it has found.
 */
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import type { Position } from '../../terms/cursor.ts';
import type { StoreDeps } from '../reader-deps.ts';
import type { BlockWindow } from './block-window.ts';
import { maxIndex, type SortOrder } from './paging.ts';

export interface ScanDeps extends StoreDeps {
  /** Rows that one page looks through where a condition has no key. */
  readonly settings: { readonly pageScanRows: number };
}

/** The part of a window that one page looks through, and the place behind it; whole blocks. */
export interface Scan {
  readonly window: BlockWindow;
  /** Place from which the next page goes on; undefined: the scan reaches the end of the window. */
  readonly stoppedAt: Position | undefined;
}

/** Parameters of every statement that finds the end of a scan: row number `skip` behind a place. */
const boundsOf = (state: ChainState, { fromBlock, toBlock }: BlockWindow, after: Position, skip: number) => ({
  ...snapshotParameters(state),
  from_block: fromBlock,
  to_block: toBlock,
  at_block: after.block,
  at_index: after.index,
  at_part: after.part ?? 0,
  skip,
});

/** @param find gives the block in which the row of these bounds lies, if there are so many rows */
export async function planScan(
  { settings }: ScanDeps,
  state: ChainState,
  { order, window }: { readonly order: SortOrder; readonly window: BlockWindow },
  after: Position,
  find: (bounds: ReturnType<typeof boundsOf>) => Promise<readonly { readonly block_number: string }[]>,
): Promise<Scan> {
  const [row] = await find(boundsOf(state, window, after, settings.pageScanRows));
  if (!row) return { window, stoppedAt: undefined };
  const block = Number(row.block_number);
  return order === 'desc'
    ? { window: { ...window, fromBlock: block }, stoppedAt: { block, index: -1 } }
    : { window: { ...window, toBlock: block }, stoppedAt: { block, index: maxIndex, part: maxIndex } };
}
