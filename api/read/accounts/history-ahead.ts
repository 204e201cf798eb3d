/**
 * Rows ahead of a walk through a history. Who follows a cursor follows the next one too: from the second page on many pages
 * are read at once and kept for a moment, so that a walk pays for planning a statement once in ten pages.
 */

import { type ChainState, isWhole } from '#sql/snapshot.ts';
import { anywhere, Cache } from '../../cache/cache.ts';
import type { Position } from '../../terms/cursor.ts';
import type { HistoryRecord } from '../../terms/records.ts';
import { placeOf } from '../chain/paging.ts';
import type { HistoryShape } from './history-shape.ts';

/** Pages of one reading: of the largest ones 2,000 rows, about 1.2 MB. */
const pagesAhead = 10;

/** Settled rows behind a place, in the order of the walk. */
interface Ahead {
  readonly rows: readonly HistoryRecord[];
  /** Of the row that comes next. */
  readonly at: number;
  /** True where nothing follows the last row. */
  readonly isWhole: boolean;
}

interface Page {
  readonly state: ChainState;
  readonly shape: HistoryShape;
  readonly after: Position;
  readonly limit: number;
}

type Read = (after: Position, count: number) => Promise<HistoryRecord[]>;

export class HistoryAhead {
  readonly #kept = new Cache<Ahead>('walks');

  /** @returns up to `limit` rows behind a place, and one more where there are more */
  async rows(page: Page, read: Read): Promise<readonly HistoryRecord[]> {
    const { state, shape, after, limit } = page;
    // rows of settled blocks are what they are, while no gap can be filled and no block taken away
    if (!isWhole(state)) return read(after, limit + 1);
    const walk = `${state.reorgGeneration} ${Object.values(shape).join(' ')}`;
    const kept = this.#take(walk, after);
    if (kept && (kept.isWhole || kept.rows.length - kept.at > limit)) return this.#page(walk, kept, limit);
    const wanted = pagesAhead * limit + 1;
    const rows = await read(after, wanted);
    const isEnd = rows.length < wanted && (shape.order === 'desc' || shape.toBlock <= state.finalized);
    const finalized = rows.filter((row) => Number(row.block_number) <= state.finalized);
    const isFinalized = finalized.length === rows.length;
    if (!isFinalized) return rows.slice(0, limit + 1);
    return this.#page(walk, { rows, at: 0, isWhole: isEnd }, limit);
  }

  #page(walk: string, { rows, at, isWhole }: Ahead, limit: number): readonly HistoryRecord[] {
    const last = rows[at + limit - 1];
    if (last) this.#kept.set(placeIn(walk, placeOf(last)), anywhere, { rows, at: at + limit, isWhole });
    return rows.slice(at, at + limit + 1);
  }

  #take(walk: string, after: Position): Ahead | undefined {
    return this.#kept.take(placeIn(walk, after), anywhere);
  }
}

const placeIn = (walk: string, { block, index }: Position) => `${walk} ${block} ${index}`;
