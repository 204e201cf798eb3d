import { type ChainState, finalizedPart, isWhole } from '#sql/snapshot.ts';
import { type Cache, maxCachedRows } from '../../cache/cache.ts';
import type { Newest } from '../../tail/recent-rows.ts';
import type { Position } from '../../terms/cursor.ts';
import type { BlockWindow } from './block-window.ts';
import { distanceTo, type SortOrder } from './paging.ts';

interface Page extends BlockWindow {
  readonly state: ChainState;
  readonly order: SortOrder;
  /** Cache key of the selection. */
  readonly key: string;
  readonly after: Position;
  readonly limit: number;
}

interface List<Row, Stored> {
  /** Returns rows of the newest blocks from memory; undefined if the memory lacks some. */
  recent(): Promise<Newest<Stored> | undefined>;
  getPosition(row: Stored): Position;
  /** Converts a row from memory to a row of read(); undefined if it is not in the list. */
  select(row: Stored): Row | undefined;
  /** Reads rows up to a block from the database. */
  read(state: ChainState, toBlock: number, limit: number): Promise<Row[]>;
  /** Caches database rows of the newest pages, keyed by the last block that is not in memory. */
  readonly older: Cache<Row[]>;
}

/** Reads a page: rows of the newest blocks from memory, of older blocks from the database. */
export async function readWithRecent<Row, Stored>(page: Page, list: List<Row, Stored>): Promise<Row[]> {
  const { state, order, key, fromBlock, toBlock, after, limit } = page;
  const finalized = finalizedPart(state);
  if (toBlock <= state.finalized) return list.read(finalized, toBlock, limit);
  const recent = await list.recent();
  if (!recent) return list.read(state, toBlock, limit);
  const { floor, canCacheOlder = true } = recent;
  const readOlder = (count: number) => list.read(finalized, floor, count);
  if (order === 'desc' && after.block <= floor) return readOlder(limit);
  const newest = selectNewest(page, recent.rows, list);
  if (order === 'asc') {
    if (Math.max(fromBlock, after.block) > floor) return newest;
    const first = await readOlder(limit);
    return [...first, ...newest.slice(0, limit - first.length)];
  }
  if (newest.length === limit || fromBlock > floor) return newest;
  const missing = limit - newest.length;
  if (!canCacheOlder || limit > maxCachedRows || !isWhole(state)) return [...newest, ...(await readOlder(missing))];
  // a full page, because other requests with this key can need more rows
  const rows = await list.older.of(`${key} ${fromBlock} ${floor} ${limit}`, state, () => readOlder(limit));
  return [...newest, ...rows.slice(0, missing)];
}

/** @param rows oldest first */
function selectNewest<Row, Stored>(
  { order, fromBlock, toBlock, after, limit }: Page,
  rows: readonly Stored[],
  { getPosition, select }: Pick<List<Row, Stored>, 'getPosition' | 'select'>,
): Row[] {
  const found: Row[] = [];
  for (let i = 0; i < rows.length && found.length < limit; i++) {
    const row = rows[order === 'asc' ? i : rows.length - 1 - i];
    if (row === undefined) continue;
    const place = getPosition(row);
    if (place.block < fromBlock || place.block > toBlock || distanceTo(place, after, order) <= 0) continue;
    const selected = select(row);
    if (selected !== undefined) found.push(selected);
  }
  return found;
}

/** Returns a cache key of a selection, except its block range. */
export const toKey = (selection: object): string =>
  Object.entries(selection)
    .filter(([name]) => !/^(fromBlock|toBlock)$/.test(name))
    .map(([name, value]) => `${name}=${value ?? ''}`)
    .join(' ');
