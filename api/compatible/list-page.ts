/** One page of a compatible list: page and offset within the window, or a cursor beyond it. */
import type { ChainState } from '#sql/snapshot.ts';
import type { Position } from '../cursor.ts';
import { maxBlock, pageOf, pinnedHead, readDistinct, type SortOrder, startOf } from '../routes/paging.ts';
import type { CompatibleRequest } from './action.ts';
import { assertCovered } from './covered.ts';
import { blockOf, isDescending, pageWindow } from './parameters.ts';

export interface ListWindow {
  readonly order: SortOrder;
  /** Both inclusive; the upper one at most the head of the walk. */
  readonly fromBlock: number;
  readonly toBlock: number;
}

export interface ListQuery<T> {
  /** What the list selects, for the cursor. */
  readonly selection: unknown;
  readonly names?: { readonly from: string; readonly to: string };
  /** Most rows of a page. */
  readonly most?: number;
  /** At most `count` rows behind a place; a row may come twice in a row. */
  read(window: ListWindow, after: Position, count: number): Promise<readonly T[]>;
  place(row: T): Position;
}

/**
 * Reads a list by one state of the chain. A reading whose state was over, or did not hold, leaves no header behind.
 * @throws as SnapshotReader.run
 */
export async function readByState<T>(
  request: CompatibleRequest,
  read: (request: CompatibleRequest, state: ChainState) => Promise<T>,
): Promise<T> {
  const { headers, result } = await request.deps.snapshots.run(async (state) => {
    const own = { ...request, headers: {} as Record<string, string> };
    return { headers: own.headers, result: await read(own, state) };
  });
  Object.assign(request.headers, headers);
  return result;
}

/**
 * Rows of the page. Where more follow, the header X-Next-Cursor names the place: it goes on beyond the window of page and
 * offset, with the same parameters and `cursor`.
 * @throws ApiProblem invalid_cursor, snapshot_invalidated; CompatibleError beyond the window
 */
export async function readListPage<T>(
  { deps, parameters, headers }: CompatibleRequest,
  state: ChainState,
  query: ListQuery<T>,
): Promise<T[]> {
  const names = query.names ?? { from: 'startblock', to: 'endblock' };
  const bounds = {
    fromBlock: blockOf(parameters, names.from, { fallback: 0, heights: state }),
    toBlock: blockOf(parameters, names.to, { fallback: maxBlock, heights: state }),
  };
  const order: SortOrder = isDescending(parameters) ? 'desc' : 'asc';
  const cursor = parameters.get('cursor') || undefined;
  const { skip, limit } = pageWindow(parameters, query.most);
  const asked = [parameters.get(names.from) ?? '', parameters.get(names.to) ?? ''];
  const filter = deps.cursors(['compatible', order, asked, query.selection]);
  const start = startOf(filter, { order, limit, cursor });
  const pin = await pinnedHead(deps, state, start.pin, bounds.toBlock);
  const window = { order, fromBlock: bounds.fromBlock, toBlock: Math.min(bounds.toBlock, pin.head) };
  assertCovered(deps, state, window.fromBlock, window.toBlock);
  if (window.fromBlock > window.toBlock) return [];
  const skipped = cursor === undefined ? skip : 0;
  const read = (after: Position, count: number) => query.read(window, after, count);
  const rows = await readDistinct(read, start.after, skipped + limit + 1, query.place);
  const { page, nextCursor } = pageOf(rows.slice(skipped), filter, limit, query.place, pin);
  if (nextCursor !== null) headers['X-Next-Cursor'] = nextCursor;
  return page;
}

/** Joins readers of parts of one list: the first `count` distinct rows of all of them, in order. */
export function joinReaders<T>(
  readers: readonly ListQuery<T>['read'][],
  place: (row: T) => Position,
): ListQuery<T>['read'] {
  if (readers.length === 1) return readers[0]!;
  return async (window, after, count) => {
    const parts = await Promise.all(
      readers.map((read) => readDistinct((at, limit) => read(window, at, limit), after, count, place)),
    );
    const sign = window.order === 'asc' ? 1 : -1;
    const sorted = parts.flat().sort((a, b) => sign * comparePlaces(place(a), place(b)));
    return sorted.filter((row, i) => i === 0 || comparePlaces(place(row), place(sorted[i - 1]!)) !== 0).slice(0, count);
  };
}

function comparePlaces(a: Position, b: Position): number {
  return a.block - b.block || a.index - b.index || (a.part ?? 0) - (b.part ?? 0);
}
