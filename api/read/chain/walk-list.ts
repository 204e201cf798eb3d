import type { ChainState } from '#sql/snapshot.ts';
import type { BlockRange, Pin, Position } from '../../terms/cursor.ts';
import type { ListDeps, TimeDeps } from '../reader-deps.ts';
import { type BlockWindow, blockWindow, type WindowQuery } from './block-window.ts';
import { indexInfo } from './freshness.ts';
import { assertWindow, maxBlock, type PageQuery, pinnedHead, readDistinct, readStart } from './paging.ts';
import { makeWalkPage } from './walk-page.ts';

interface Page<Row> {
  readonly page: readonly Row[];
  readonly nextCursor: string | null;
  readonly hasMore: boolean;
}

export interface Walk {
  readonly state: ChainState;
  /** Head of the first page, also used by later pages. */
  readonly pin: Pin;
  readonly window: BlockWindow;
  /** Last row of the previous page. */
  readonly after: Position;
  /**
   * @param position rows with equal positions are duplicates
   * @param mark where the scan reached its limit
   */
  read<Row>(
    read: (after: Position, count: number) => Promise<readonly Row[]>,
    position: (row: Row) => Position,
    mark?: Mark,
  ): Promise<Page<Row>>;
  /** Makes the page from at most `limit` + 1 rows. */
  cut<Row>(rows: readonly Row[], position: (row: Row) => Position, mark?: Mark): Page<Row>;
}

interface Mark {
  readonly stoppedAt?: Position | undefined;
  /** Traced block ranges, for lists with internal transfers. */
  readonly traced?: readonly BlockRange[] | undefined;
}

/**
 * Reads a page of rows in a block range. No page shows blocks above the head of the first page.
 * @param scope identifies the list, for example by its conditions: a cursor is only valid for the list that returned it
 * @throws ApiProblem bad_query, invalid_cursor, snapshot_invalidated, indexing
 */
export function walkList<Reply extends object>(
  deps: ListDeps & TimeDeps,
  scope: readonly unknown[],
  query: PageQuery & WindowQuery & { readonly limit: number },
  makeReply: (walk: Walk) => Promise<Reply>,
): Promise<Reply & { readonly limit: number; readonly index: ReturnType<typeof indexInfo> }> {
  const { limit, order, fromBlock = 0, toBlock = maxBlock } = query;
  assertWindow(fromBlock, toBlock);
  const cursors = deps.cursors(scope);
  const start = readStart(cursors, query);
  return deps.snapshots.run(async (state) => {
    const pin = await pinnedHead(deps, state, start.pin, query.toBlock);
    const window = await blockWindow(deps, state, pin, query);
    const shown = { from: window.fromBlock, to: Math.min(window.toBlock, pin.head) };
    const cut: Walk['cut'] = (rows, position, mark) =>
      makeWalkPage(rows, { ...mark, scope: cursors, order, limit, pin, state, window: shown }, position);
    const isEmpty = window.fromBlock > window.toBlock;
    const read: Walk['read'] = async (readRows, position, mark) =>
      cut(isEmpty ? [] : await readDistinct(readRows, start.after, limit + 1, position), position, mark);
    const reply = await makeReply({ state, pin, window, after: start.after, read, cut });
    return { ...reply, limit, index: indexInfo(deps, state, pin) };
  });
}
