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

const maxGaps = 8;

interface Walk {
  readonly scope: CursorScope;
  readonly order: SortOrder;
  readonly limit: number;
  readonly pin: Pin;
  readonly state: ChainState;
  readonly stoppedAt?: Position | undefined;
}

/**
 * Makes a page whose cursor lists missing blocks that the page skipped. Later pages report them even if they are
 * indexed by then.
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
