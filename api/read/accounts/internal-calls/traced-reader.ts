import type { Database } from '#sql/client.ts';
import type { ChainState } from '#sql/snapshot.ts';
import { Cache } from '../../../cache/cache.ts';
import type { BlockRange } from '../../../terms/cursor.ts';
import { ApiProblem } from '../../../terms/errors.ts';
import { hiddenBlocks, joined } from '../../chain/block-ranges.ts';

export interface TracedDeps {
  readonly traced: TracedReader;
}

export class TracedReader {
  readonly #ranges = new Cache<readonly BlockRange[]>('traced_ranges');
  readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  /** Returns the ranges of blocks with stored traces, without blocks that are hidden from readers. */
  ranges(state: ChainState): Promise<readonly BlockRange[]> {
    return this.#ranges.of('traced', state, async () => {
      const rows = await this.database.readBinary('traced_blocks', { finalized: state.finalized, head: state.head });
      const traced = joined(rows.map((row) => ({ from: Number(row.from_block), to: Number(row.to_block) })));
      return hiddenBlocks(state).reduce(withoutRange, traced);
    });
  }
}

function withoutRange(ranges: readonly BlockRange[], hidden: BlockRange): BlockRange[] {
  return ranges
    .flatMap(({ from, to }) => [
      { from, to: Math.min(to, hidden.from - 1) },
      { from: Math.max(from, hidden.to + 1), to },
    ])
    .filter(({ from, to }) => from <= to);
}

/** Intersects the traced block ranges with the indexed blocks from `from` to `to`. */
export function tracedWithin(ranges: readonly BlockRange[], state: ChainState, from: number, to: number): BlockRange[] {
  const [low, high] = [Math.max(from, state.startBlock), Math.min(to, state.head)];
  return ranges
    .map((range) => ({ from: Math.max(range.from, low), to: Math.min(range.to, high) }))
    .filter((range) => range.from <= range.to);
}

/** Returns whether all indexed blocks from `from` to `to` have traces. */
export function isTraced(ranges: readonly BlockRange[], state: ChainState, from: number, to: number): boolean {
  const [low, high] = [Math.max(from, state.startBlock), Math.min(to, state.head)];
  return ranges.some((range) => range.from <= low && high <= range.to);
}

/** @throws ApiProblem indexing, with the traced block ranges, if blocks of the range have no traces */
export async function assertTraced(
  traced: TracedReader,
  state: ChainState,
  { from, to }: BlockRange,
  message: string,
): Promise<void> {
  const ranges = await traced.ranges(state);
  if (!isTraced(ranges, state, from, to)) throw new ApiProblem('indexing', message, { traced: ranges });
}
