/** Pages of walks along the chain, truthful about what a walk passed over. */
import { lastOf } from '#runtime/lists.ts';
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
import { pageOf, type SortOrder } from './paging.ts';

/** Ranges that one cursor names: it must stay short. */
const maxGaps = 8;

interface Walk {
  readonly scope: CursorScope;
  readonly order: SortOrder;
  readonly limit: number;
  readonly pin: Pin;
  readonly state: ChainState;
  /** Where a scan stopped before the page was full: there may be more behind. */
  readonly stoppedAt?: Position | undefined;
}

/**
 * Splits what was read with one row more than the page. Blocks that are not indexed yet on the way of the walk are named in
 * its cursor: when they are filled in behind it, its later pages still say that it has not seen them.
 */
export function walkPageOf<T>(rows: readonly T[], walk: Walk, position: (row: T) => Position) {
  const { scope, limit, pin, stoppedAt } = walk;
  const page = rows.slice(0, limit);
  const place = rows.length > limit ? position(lastOf(page)) : stoppedAt;
  if (place === undefined) return pageOf(rows, scope, limit, position, pin);
  const nextCursor = encodeCursor(scope, positionKey(place), { ...pin, gaps: passedGaps(walk, place) });
  return { page, hasMore: true, nextCursor };
}

/** What the walk has passed without seeing it, lowest first. */
function passedGaps({ order, pin, state }: Walk, { block }: Position): BlockRange[] {
  const isPassed = ({ from, to }: BlockRange) => (order === 'asc' ? from < block : to > block);
  const now = missingBlocks(state).filter((gap) => gap.from <= pin.head && isPassed(gap));
  return joined([...(pin.gaps ?? []), ...now], maxGaps);
}
