import { type ChainState, finalizedPart } from '#sql/snapshot.ts';
import type { RecentHistory } from '../../tail/recent-history.ts';
import type { Position } from '../../terms/cursor.ts';
import type { BlockWindow } from './block-window.ts';
import type { SortOrder } from './paging.ts';

export interface EmittedDeps {
  readonly recentHistory: RecentHistory;
}

interface Asked {
  /** Contract that emitted the logs. */
  readonly emitter: string;
  readonly order: SortOrder;
  readonly window: BlockWindow;
  /** Last row of the previous page. */
  readonly after: Position;
  readonly limit: number;
}

/** Returns the blocks of a window that can have rows after a position. */
function behind({ fromBlock, toBlock }: BlockWindow, after: Position, order: SortOrder): BlockWindow {
  return order === 'asc'
    ? { fromBlock: Math.max(fromBlock, after.block), toBlock }
    : { fromBlock, toBlock: Math.min(toBlock, after.block) };
}

type Read<Row> = (state: ChainState, window: BlockWindow, limit: number) => Promise<Row[]>;

/**
 * Reads a list of rows from logs of one contract. (LogReads caches single values.) Each unfinalized block has its own
 * partition, which takes 0.6 ms to open. So this function reads finalized blocks separately, and only those unfinalized
 * blocks that can have rows.
 */
export async function readEmitted<Row>(
  { recentHistory }: EmittedDeps,
  state: ChainState,
  { emitter, order, window: all, after, limit }: Asked,
  read: Read<Row>,
): Promise<Row[]> {
  const window = behind(all, after, order);
  const { fromBlock, toBlock } = window;
  const readFinalized = async (count: number) =>
    fromBlock > state.finalized
      ? []
      : read(finalizedPart(state), { fromBlock, toBlock: Math.min(toBlock, state.finalized) }, count);
  if (toBlock <= state.finalized) return readFinalized(limit);
  const open = await recentHistory.readBlocks(state, emitter);
  if (!open) return read(state, window, limit);
  const blocks = open.filter((block) => block >= fromBlock && block <= toBlock);
  const [first, last] = [blocks.at(0), blocks.at(-1)];
  if (first === undefined || last === undefined) return readFinalized(limit);
  if (order === 'asc') {
    const rows = await readFinalized(limit);
    if (rows.length >= limit) return rows;
    return [...rows, ...(await read(state, { fromBlock: first, toBlock: last }, limit - rows.length))];
  }
  // the newest blocks usually fill the page, because most transactions of a contract emit a log
  const enough = blocks.at(-limit) ?? first;
  const newest = await read(state, { fromBlock: enough, toBlock: last }, limit);
  if (newest.length >= limit) return newest;
  const older =
    enough > first ? await read(state, { fromBlock: first, toBlock: enough - 1 }, limit - newest.length) : [];
  const rows = [...newest, ...older];
  return rows.length >= limit ? rows : [...rows, ...(await readFinalized(limit - rows.length))];
}
