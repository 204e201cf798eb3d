import { getLast } from '#runtime/lists.ts';
import type { ChainState } from '#sql/snapshot.ts';
import {
  type BlockRange,
  type CursorScope,
  encodeCursor,
  type Pin,
  type Position,
  positionKey,
} from '../../terms/cursor.ts';
import { joined } from './block-ranges.ts';
import { missingBlocks } from './freshness.ts';
import { makePage, type SortOrder } from './paging.ts';

/** Maximum number of gaps in a cursor, which keeps cursors short. */
const maxGaps = 8;

interface Walk {
  readonly scope: CursorScope;
  readonly order: SortOrder;
  readonly limit: number;
  readonly pin: Pin;
  readonly state: ChainState;
  /** The scan stopped before the page was full; more rows may follow. */
  readonly stoppedAt?: Position | undefined;
}

/**
 * The rows were read with limit + 1. The cursor lists skipped gaps, so that later pages report them even if they were
 * indexed since.
 */
export function makeWalkPage<T>(rows: readonly T[], walk: Walk, position: (row: T) => Position) {
  const { scope, limit, pin, stoppedAt } = walk;
  const page = rows.slice(0, limit);
  const end = rows.length > limit ? position(getLast(page)) : stoppedAt;
  if (end === undefined) return makePage(rows, scope, limit, position, pin);
  const nextCursor = encodeCursor(scope, positionKey(end), { ...pin, gaps: skippedGaps(walk, end) });
  return { page, hasMore: true, nextCursor };
}

function skippedGaps({ order, pin, state }: Walk, { block }: Position): BlockRange[] {
  const isSkipped = ({ from, to }: BlockRange) => (order === 'asc' ? from < block : to > block);
  const missing = missingBlocks(state).filter((gap) => gap.from <= pin.head && isSkipped(gap));
  return joined([...(pin.gaps ?? []), ...missing], maxGaps);
}
