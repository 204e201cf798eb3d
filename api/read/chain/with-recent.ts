import { type ChainState, isWhole } from '#sql/snapshot.ts';
import type { Cache } from '../../cache/cache.ts';
import type { Position } from '../../terms/cursor.ts';
import type { Placed } from '../chain/paging.ts';
import type { HistoryShape } from './history-shape.ts';

interface Page {
  readonly state: ChainState;
  readonly shape: HistoryShape;
  readonly after: Position;
  readonly limit: number;
}

/** Selected rows of all blocks above `floor`, oldest first. */
interface Newest<Row> {
  readonly floor: number;
  readonly rows: readonly Row[];
}

type ReadOlder<Row> = (shape: HistoryShape, after: Position, limit: number) => Promise<Row[]>;

/**
 * Reads a page of rows of an account: those of the newest blocks from memory, those of older blocks from the database.
 * @param pages caches the older rows of newest pages, which stay the same while the floor does
 */
export async function readWithRecent<Row extends Placed>(
  { state, shape, after, limit }: Page,
  { floor, rows }: Newest<Row>,
  readOlder: ReadOlder<Row>,
  pages: Cache<Row[]> | undefined,
): Promise<Row[]> {
  const older = { ...shape, toBlock: Math.min(shape.toBlock, floor) };
  if (shape.order === 'asc') {
    const first = await readOlder(older, after, limit);
    return [...first, ...rows.slice(0, limit - first.length)];
  }
  const newest = rows.toReversed().slice(0, limit);
  if (newest.length === limit) return newest;
  const missing = limit - newest.length;
  const isNewestPage = after.block > floor && shape.toBlock > floor;
  if (!pages || !isNewestPage || !isWhole(state)) return [...newest, ...(await readOlder(older, after, missing))];
  const key = [...Object.values(older), limit].join(' ');
  // reads a whole page, so that the next block finds its rows too
  const page = await pages.of(key, state, () => readOlder(older, after, limit));
  return [...newest, ...page.slice(0, missing)];
}

/** Returns whether a row lies in the block window and behind the last row of the previous page. */
export function isWithin(row: Placed, { fromBlock, toBlock, order }: HistoryShape, after: Position): boolean {
  const block = Number(row.block_number);
  const distance = block - after.block || row.tx_index - after.index;
  return block >= fromBlock && block <= toBlock && (order === 'desc' ? distance < 0 : distance > 0);
}
