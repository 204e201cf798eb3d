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
  return order === 'desc' ? { block: maxBlock, index: 4_294_967_295 } : { block: 0, index: -1 };
}

/**
 * Reads `wanted` distinct rows behind a place, or all there are. A row is there twice while a repeated insert is not
 * merged yet; taking doubles out here, not in SQL, lets the database stop reading at the limit.
 * @param read rows in order behind a place, exclusive; fewer than asked only at the end
 */
export async function readDistinct<T>(
  read: (after: Position, limit: number) => Promise<readonly T[]>,
  start: Position,
  wanted: number,
  position: (row: T) => Position,
): Promise<T[]> {
  const rows: T[] = [];
  let last = start;
  for (;;) {
    const asked = wanted - rows.length;
    const more = await read(last, asked);
    for (const row of more) {
      const at = position(row);
      if (at.block !== last.block || at.index !== last.index) rows.push(row);
      last = at;
    }
    if (more.length < asked || rows.length === wanted) return rows;
  }
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

/** Place of a row that stands for a transaction. */
export function placeOf(row: { readonly block_number: string; readonly tx_index: number }): Position {
  return { block: Number(row.block_number), index: row.tx_index };
}

/** @throws ApiProblem bad_query when the window is upside down */
export function assertWindow(from: number, to: number): void {
  if (from > to) throw new ApiProblem('bad_query', `from (${from}) is above to (${to}): from must not be above to`);
}
