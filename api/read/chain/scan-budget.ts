/** Limits the rows that a page scans if its filters have no index. */
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import type { Position } from '../../terms/cursor.ts';
import type { StoreDeps } from '../reader-deps.ts';
import type { BlockWindow } from './block-window.ts';
import { maxIndex, type SortOrder } from './paging.ts';

export interface ScanDeps extends StoreDeps {
  readonly settings: { readonly pageScanRows: number };
}

export interface Scan {
  readonly window: BlockWindow;
  readonly stoppedAt: Position | undefined;
}

const scanBounds = (state: ChainState, { fromBlock, toBlock }: BlockWindow, after: Position, skip: number) => ({
  ...snapshotParameters(state),
  from_block: fromBlock,
  to_block: toBlock,
  at_block: after.block,
  at_index: after.index,
  at_part: after.part ?? 0,
  skip,
});

/**
 * Shortens the block range of a page to about `pageScanRows` rows.
 * @param find returns the block of the row after `skip` rows, if it exists
 */
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
