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
import { isTraced } from '../accounts/internal-calls/traced-reader.ts';
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
  /** Blocks of the list; needed with `traced`. */
  readonly window?: BlockRange;
  readonly stoppedAt?: Position | undefined;
  /** Traced block ranges, for lists with internal transfers. */
  readonly traced?: readonly BlockRange[] | undefined;
}

/**
 * Makes a page whose cursor lists missing blocks that the page skipped. Later pages report them, even if they are
 * indexed meanwhile.
 */
export function makeWalkPage<T>(rows: readonly T[], walk: Walk, position: (row: T) => Position) {
  const { scope, limit, pin, stoppedAt } = walk;
  const page = rows.slice(0, limit);
  const end = rows.length > limit ? position(getLast(page)) : stoppedAt;
  if (end === undefined) return makePage(rows, scope, limit, position, pin);
  const nextCursor = encodeCursor(scope, positionKey(end), {
    ...pin,
    gaps: skippedGaps(walk, end),
    lacksTraces: pin.lacksTraces || lacksTraces(walk, end),
  });
  return { page, hasMore: true, nextCursor };
}

/** Returns whether blocks of the pages so far have no traces. */
function lacksTraces({ order, state, window, traced }: Walk, { block }: Position): boolean {
  if (!traced || !window) return false;
  const [from, to] = order === 'asc' ? [window.from, block] : [block, window.to];
  return !isTraced(traced, state, from, to);
}

function skippedGaps({ order, pin, state }: Walk, { block }: Position): BlockRange[] {
  const isSkipped = ({ from, to }: BlockRange) => (order === 'asc' ? from < block : to > block);
  const missing = missingBlocks(state).filter((gap) => gap.from <= pin.head && isSkipped(gap));
  return joined([...(pin.gaps ?? []), ...missing], maxGaps);
}
