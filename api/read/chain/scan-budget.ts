/**
 * Scan limit for list filters without an index. A filter that matches few rows must not make a request read a complete
 * history: each page scans a limited number of rows, and its cursor continues where the scan stopped.
 */
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import type { Position } from '../../terms/cursor.ts';
import type { StoreDeps } from '../reader-deps.ts';
import type { BlockWindow } from './block-window.ts';
import { maxIndex, type SortOrder } from './paging.ts';

export interface ScanDeps extends StoreDeps {
  /** Maximum rows that one page scans when a filter has no index. */
  readonly settings: { readonly pageScanRows: number };
}

/** Complete blocks that one page scans. */
export interface Scan {
  readonly window: BlockWindow;
  /** Position where the next page starts; undefined: the scan covers the rest of the window. */
  readonly stoppedAt: Position | undefined;
}

/** Parameters of the statements that find row number `skip` after a position. */
const scanBounds = (state: ChainState, { fromBlock, toBlock }: BlockWindow, after: Position, skip: number) => ({
  ...snapshotParameters(state),
  from_block: fromBlock,
  to_block: toBlock,
  at_block: after.block,
  at_index: after.index,
  at_part: after.part ?? 0,
  skip,
});

/** @param find returns the block of that row; empty if there are fewer rows */
export async function planScan(
  { settings }: ScanDeps,
  state: ChainState,
  { order, window }: { readonly order: SortOrder; readonly window: BlockWindow },
  after: Position,
  find: (bounds: ReturnType<typeof scanBounds>) => Promise<readonly { readonly block_number: string }[]>,
): Promise<Scan> {
  const [row] = await find(scanBounds(state, window, after, settings.pageScanRows));
  if (!row) return { window, stoppedAt: undefined };
  const block = Number(row.block_number);
  return order === 'desc'
    ? { window: { ...window, fromBlock: block }, stoppedAt: { block, index: -1 } }
    : { window: { ...window, toBlock: block }, stoppedAt: { block, index: maxIndex, part: maxIndex } };
}
