/** Keyset paging over (block, index), in both orders. */

import { decodeCursor, encodeCursor, type Position } from '../cursor.ts';
import { ApiProblem } from '../errors.ts';

export const maxBlock = Number.MAX_SAFE_INTEGER;
export type SortOrder = 'asc' | 'desc';

export interface PageQuery {
  readonly order: SortOrder;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Where a page begins: behind the last row of the cursor, or outside of everything. */
export function startOf(filter: unknown, { order, cursor }: PageQuery): Position {
  if (cursor !== undefined) return decodeCursor(filter, cursor);
  return order === 'desc' ? { block: maxBlock, index: 4_294_967_295 } : { block: 0, index: 0 };
}

/**
 * Splits what was read with one row more than the page.
 * @param position of a row, for the next cursor
 */
export function pageOf<T>(rows: readonly T[], filter: unknown, limit: number, position: (row: T) => Position) {
  const page = rows.slice(0, limit);
  const hasMore = rows.length > limit;
  return { page, hasMore, nextCursor: hasMore ? encodeCursor(filter, position(page.at(-1)!)) : null };
}

/** @throws ApiProblem bad_query when the window is upside down */
export function assertWindow(from: number, to: number): void {
  if (from > to) throw new ApiProblem('bad_query', `from (${from}) is above to (${to}): from must not be above to`);
}
