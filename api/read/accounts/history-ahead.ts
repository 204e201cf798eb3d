/** Reads ten pages of account history at once: planning SQL is slow, and clients request several pages. */

import { type ChainState, isWhole } from '#sql/snapshot.ts';
import { anywhere, Cache } from '../../cache/cache.ts';
import type { Position } from '../../terms/cursor.ts';
import type { HistoryRecord } from '../../terms/records.ts';
import { getPosition } from '../chain/paging.ts';
import type { HistoryShape } from './history-shape.ts';

const prefetchedPages = 10;

interface Ahead {
  readonly rows: readonly HistoryRecord[];
  readonly at: number;
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
  readonly #prefetched = new Cache<Ahead>('walks');

  /** Returns the rows of a page, plus one row if another page follows. */
  async rows(page: Page, read: Read): Promise<readonly HistoryRecord[]> {
    const { state, shape, after, limit } = page;
    // while blocks are missing, finalized rows can still change
    if (!isWhole(state)) return read(after, limit + 1);
    const walk = `${state.reorgGeneration} ${Object.values(shape).join(' ')}`;
    const ahead = this.#take(walk, after);
    if (ahead && (ahead.isWhole || ahead.rows.length - ahead.at > limit)) return this.#page(walk, ahead, limit);
    const count = prefetchedPages * limit + 1;
    const rows = await read(after, count);
    const isEnd = rows.length < count && (shape.order === 'desc' || shape.toBlock <= state.finalized);
    const finalized = rows.filter((row) => Number(row.block_number) <= state.finalized);
    const isFinalized = finalized.length === rows.length;
    if (!isFinalized) return rows.slice(0, limit + 1);
    return this.#page(walk, { rows, at: 0, isWhole: isEnd }, limit);
  }

  #page(walk: string, { rows, at, isWhole }: Ahead, limit: number): readonly HistoryRecord[] {
    const last = rows[at + limit - 1];
    if (last) this.#prefetched.set(keyAt(walk, getPosition(last)), anywhere, { rows, at: at + limit, isWhole });
    return rows.slice(at, at + limit + 1);
  }

  #take(walk: string, after: Position): Ahead | undefined {
    return this.#prefetched.take(keyAt(walk, after), anywhere);
  }
}

const keyAt = (walk: string, { block, index }: Position) => `${walk} ${block} ${index}`;
