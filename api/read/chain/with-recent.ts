import { type ChainState, isWhole } from '#sql/snapshot.ts';
import type { Cache } from '../../cache/cache.ts';
import type { Position } from '../../terms/cursor.ts';
import type { BlockWindow } from './block-window.ts';
import type { Placed, SortOrder } from './paging.ts';

/** Maximum number of rows of a cached page: a long list would displace all others. */
const maxCachedRows = 1_000;

interface Page extends BlockWindow {
  readonly state: ChainState;
  readonly order: SortOrder;
  /** What selects the rows, as a cache key. */
  readonly key: string;
  readonly after: Position;
  readonly limit: number;
}

/** Selected rows of the blocks above `floor`, oldest first: all of them, or as many as fill the page. */
interface Newest<Row> {
  readonly floor: number;
  readonly rows: readonly Row[];
}

/**
 * Reads a page of a list: rows of the newest blocks from memory, those of older blocks from the database.
 * @param readOlder reads rows up to a block
 * @param pages caches the older rows of newest pages, which stay the same while the floor does
 */
export async function readWithRecent<Row>(
  { state, order, key, fromBlock, toBlock, after, limit }: Page,
  { floor, rows }: Newest<Row>,
  readOlder: (toBlock: number, limit: number) => Promise<Row[]>,
  pages: Cache<Row[]> | undefined,
): Promise<Row[]> {
  const through = Math.min(toBlock, floor);
  if (Math.max(fromBlock, order === 'asc' ? after.block : 0) > through) return take(rows, order, limit);
  if (order === 'asc') {
    const first = await readOlder(through, limit);
    return [...first, ...rows.slice(0, limit - first.length)];
  }
  const newest = take(rows, order, limit);
  if (newest.length === limit) return newest;
  const missing = limit - newest.length;
  const isNewestPage = after.block > floor && toBlock > floor;
  if (!pages || !isNewestPage || limit > maxCachedRows || !isWhole(state))
    return [...newest, ...(await readOlder(through, missing))];
  // reads a whole page, so that the next block finds its rows too
  const page = await pages.of(`${key} ${fromBlock} ${through} ${limit}`, state, () => readOlder(through, limit));
  return [...newest, ...page.slice(0, missing)];
}

const take = <Row>(rows: readonly Row[], order: SortOrder, limit: number): Row[] =>
  (order === 'asc' ? [...rows] : rows.toReversed()).slice(0, limit);

/** Returns the selected rows that a page can contain. @param rows oldest first @returns oldest first */
export function selectRows<Row>(
  rows: readonly Row[],
  { order, limit }: Pick<Page, 'order' | 'limit'>,
  isSelected: (row: Row) => boolean,
): Row[] {
  const found: Row[] = [];
  const isAscending = order === 'asc';
  for (let i = 0; i < rows.length && found.length < limit; i++) {
    const row = rows[isAscending ? i : rows.length - 1 - i];
    if (row !== undefined && isSelected(row)) found.push(row);
  }
  return isAscending ? found : found.reverse();
}

/** Returns a cache key of all conditions of a selection. */
export const keyOf = (selection: object): string =>
  Object.entries(selection)
    .filter(([name]) => !/^(fromBlock|toBlock)$/.test(name))
    .map(([name, value]) => `${name}=${value ?? ''}`)
    .join(' ');

/** Returns whether a transaction lies in the block window and behind the last row of the previous page. */
export function isWithin(
  row: Placed,
  { fromBlock, toBlock, order }: BlockWindow & { readonly order: SortOrder },
  after: Position,
): boolean {
  const block = Number(row.block_number);
  const distance = block - after.block || row.tx_index - after.index;
  return block >= fromBlock && block <= toBlock && (order === 'desc' ? distance < 0 : distance > 0);
}
