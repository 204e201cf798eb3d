/** Reads pages of lists. `page` and `offset` reach only the first 10,000 rows; a cursor reaches all rows. */
import { type ChainState, finalThrough, reliableHead } from '#sql/snapshot.ts';
import { chainHead, endOfList, isSilent, lagsBehind } from '../read/chain/freshness.ts';
import { makePage, maxBlock, pinnedHead, readDistinct, readStart, type SortOrder } from '../read/chain/paging.ts';
import { type ReachDeps, reachBlock } from '../read/chain/reach-block.ts';
import type { ReportDeps } from '../read/query/query-turns.ts';
import type { ListDeps, StoreDeps, TimeDeps } from '../read/reader-deps.ts';
import type { Position } from '../terms/cursor.ts';
import { type CompatibleRequest, EmptyAnswer } from './action.ts';
import { assertCovered } from './covered.ts';
import { isDescending, type PageRows, pageWindow, parseBlock, parseTime, readMovingTag } from './parameters.ts';
import { type AskedTimes, readTimeBounds } from './time-bounds.ts';

export interface ListWindow {
  readonly order: SortOrder;
  readonly fromBlock: number;
  /** Last block of the list, never above the first page's snapshot. */
  readonly toBlock: number;
}

interface WindowNames {
  readonly from: string;
  readonly to: string;
}

const listNames: WindowNames = { from: 'startblock', to: 'endblock' };

/**
 * Returns whether an end block means "no end": clients send 9999999 or 99999999. Smaller numbers above the chain head
 * are real ends, otherwise a client that reads window by window would skip blocks.
 */
const isOpenEnd = (block: number, newest: number) => block >= 99_999_999 || (block === 9_999_999 && block > newest);

export type ListPageDeps = ListDeps & TimeDeps;

export interface ListQuery<T> {
  /** Filters of the list. A cursor works only with the filters of its first page. */
  readonly selection: unknown;
  readonly names?: WindowNames;
  readonly rows?: PageRows;
  read(window: ListWindow, after: Position, count: number): Promise<readonly T[]>;
  place(row: T): Position;
}

/**
 * Reads a list on one snapshot. After a reorg, only the repeated read sets headers. An empty list has headers too,
 * because a client continues above the last block that they name.
 * @throws as SnapshotReader.run; EmptyAnswer
 */
async function readByState<T, D extends ReachDeps>(
  request: CompatibleRequest<D>,
  read: (request: CompatibleRequest<D>, state: ChainState) => Promise<T>,
  names: WindowNames = listNames,
  isExpensive = false,
): Promise<T> {
  await reachBlock(request.deps, highestNamed(request, names));
  const readOn = async (state: ChainState) => {
    const own = { ...request, headers: {} as Record<string, string> };
    const found = await read(own, state).catch((error: unknown) => {
      if (error instanceof EmptyAnswer) return error;
      throw error;
    });
    return { headers: own.headers, found };
  };
  const { headers, found } = await request.deps.snapshots.run(readOn, { isExpensive });
  Object.assign(request.headers, headers);
  if (found instanceof EmptyAnswer) throw found;
  return found;
}

/**
 * Like readByState. A list that may scan many rows waits for others of its kind, and ends when its client disconnects.
 * @param queue undefined if an index fits the filters
 * @throws as readByState; ApiProblem rate_limited
 */
export async function readInTurn<T, D extends ReachDeps & StoreDeps & ReportDeps>(
  request: CompatibleRequest<D>,
  queue: 'runFiltered' | 'runReport' | undefined,
  read: (request: CompatibleRequest<D>, state: ChainState) => Promise<T>,
  names?: WindowNames,
): Promise<T> {
  if (!queue) return readByState(request, read, names);
  const { deps, caller, ip, gone } = request;
  const cancelled = { ...request, deps: { ...deps, database: deps.database.cancelledBy(gone) } };
  return deps.queryTurns[queue]({ caller, address: ip, gone }, () => readByState(cancelled, read, names, true));
}

/**
 * If more rows follow, sets X-Next-Cursor.
 * @throws ApiProblem invalid_cursor, snapshot_invalidated; CompatibleError if page and offset exceed 10,000 rows
 */
export async function readListPage<T>(
  { deps, parameters, headers, proof }: CompatibleRequest<ListPageDeps>,
  state: ChainState,
  query: ListQuery<T>,
): Promise<T[]> {
  const names = query.names ?? listNames;
  const times = { start: parseTime(parameters, 'start'), end: parseTime(parameters, 'end') };
  const bounds = await readBounds(deps, state, parameters, { names, times });
  const order: SortOrder = isDescending(parameters) ? 'desc' : 'asc';
  const cursor = parameters.get('cursor') || undefined;
  const { skip, limit } = pageWindow(parameters, query.rows);
  // a tag as lower bound moves: a cursor of an earlier page would skip the blocks between
  const first = readMovingTag(parameters, names.from)
    ? `block ${bounds.fromBlock}`
    : (parameters.get(names.from) ?? '');
  const asked = [first, parameters.get(names.to) ?? '', times];
  const filter = deps.cursors(['compatible', order, asked, query.selection]);
  const start = readStart(filter, { order, limit, cursor });
  const pin = await pinnedHead(deps, state, start.pin, bounds.toBlock);
  const window = { order, fromBlock: bounds.fromBlock, toBlock: Math.min(bounds.toBlock, pin.head) };
  // the end of this list: a client that resumes above a newer head would miss rows
  headers['X-Index-Head'] = String(Math.min(reliableHead(state), endOfList(state, pin).head, window.toBlock));
  const { firstAsked } = bounds;
  // earlier pages began at the cursor's head, even if a node contradicts blocks below it since
  const lastShown = Math.max(window.toBlock, firstAsked, start.pin?.head ?? 0);
  const isBeyondChain = bounds.isOpen && firstAsked > chainHead(deps, state);
  if (!isBeyondChain) assertCovered(deps, state, firstAsked, bounds.isOpen ? lastShown : bounds.toBlock);
  const skipped = cursor === undefined ? skip : 0;
  const isLater = cursor !== undefined || skipped > 0;
  proof.isCovered = canBeEmpty(deps, state, bounds, isLater);
  if (window.fromBlock > window.toBlock) return [];
  const read = (after: Position, count: number) => query.read(window, after, count);
  const rows = await readDistinct(read, start.after, skipped + limit + 1, query.place);
  const { page, nextCursor } = makePage(rows.slice(skipped), filter, limit, query.place, pin);
  if (nextCursor !== null) headers['X-Next-Cursor'] = nextCursor;
  return page;
}

interface AskedRange {
  readonly names: WindowNames;
  readonly times: AskedTimes;
}

/** Without an end block, a list ends at the newest indexed block, or before the first block that a node contradicts. */
async function readBounds(
  deps: ListPageDeps,
  state: ChainState,
  parameters: CompatibleRequest['parameters'],
  { names, times }: AskedRange,
) {
  const heights = { head: state.head, finalized: finalThrough(state) };
  const fromBlock = parseBlock(parameters, names.from, { fallback: 0, heights });
  const toBlock = parseBlock(parameters, names.to, { fallback: maxBlock, heights });
  const isOpen = isOpenEnd(toBlock, chainHead(deps, state)) || readMovingTag(parameters, names.to) === 'head';
  const { from, after } = await readTimeBounds(deps, state, times, !isOpen && toBlock <= state.head);
  const end = isOpen && after === undefined ? reliableHead(state) : toBlock;
  const range = {
    fromBlock: Math.max(fromBlock, from),
    toBlock: Math.min(end, (after ?? maxBlock) - 1),
    isOpen: isOpen && after === undefined,
  };
  const hasStart = times.start !== undefined || Boolean(parameters.get(names.from)?.trim());
  return { ...range, firstAsked: hasStart ? range.fromBlock : firstIndexed(state, range) };
}

/**
 * Returns whether an empty page is proven: blocks before START_BLOCK and new unindexed blocks can't have rows. An empty
 * later page is no error and ends the list.
 */
function canBeEmpty(
  deps: ListDeps,
  state: ChainState,
  { fromBlock, isOpen }: { fromBlock: number; isOpen: boolean },
  isLaterPage: boolean,
): boolean {
  const isBehind = !isLaterPage && lagsBehind(deps, state, fromBlock);
  const isUnreported = isOpen && (isSilent(deps, state) || isBehind);
  return (isLaterPage || fromBlock >= state.startBlock) && !isUnreported;
}

/** Returns the first block that the index must cover if the request names no first block. */
const firstIndexed = ({ startBlock }: ChainState, { fromBlock, toBlock }: { fromBlock: number; toBlock: number }) =>
  fromBlock === 0 && toBlock >= startBlock ? startBlock : fromBlock;

function highestNamed({ parameters }: CompatibleRequest, { from, to }: WindowNames): number {
  const named = [from, to].flatMap((name) => {
    const text = parameters.get(name)?.trim() ?? '';
    const block = /^(\d+|0x[0-9a-f]{1,64})$/i.test(text) ? Number(text) : -1;
    return isOpenEnd(block, -1) ? [] : block;
  });
  return Math.max(-1, ...named);
}

/** Merges several readers into one sorted list without duplicates. */
export function joinReaders<T>(
  readers: readonly ListQuery<T>['read'][],
  place: (row: T) => Position,
): ListQuery<T>['read'] {
  const [first, ...others] = readers;
  if (first && others.length === 0) return first;
  return async (window, after, count) => {
    const parts = await Promise.all(
      readers.map((read) => readDistinct((at, limit) => read(window, at, limit), after, count, place)),
    );
    const sign = window.order === 'asc' ? 1 : -1;
    const sorted = parts.flat().sort((a, b) => sign * comparePositions(place(a), place(b)));
    const isDouble = (row: T, before: T | undefined) =>
      before !== undefined && comparePositions(place(row), place(before)) === 0;
    return sorted.filter((row, i) => !isDouble(row, sorted[i - 1])).slice(0, count);
  };
}

function comparePositions(a: Position, b: Position): number {
  return a.block - b.block || a.index - b.index || (a.part ?? 0) - (b.part ?? 0);
}
