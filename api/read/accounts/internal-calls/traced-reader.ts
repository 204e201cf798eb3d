/** Which blocks of a state are traced. */
import type { Database } from '#sql/client.ts';
import type { ChainState } from '#sql/snapshot.ts';
import { getStatement, type Statements } from '#sql/statements.ts';
import { Cache } from '../../../cache/cache.ts';

/** Blocks, both ends inclusive. */
interface TracedRange {
  readonly from: number;
  readonly to: number;
}

export class TracedReader {
  readonly #ranges = new Cache<readonly TracedRange[]>('traced_ranges');
  readonly database: Database;
  readonly statements: Statements;

  constructor(database: Database, statements: Statements) {
    this.database = database;
    this.statements = statements;
  }

  /** Joined and sorted; none where traces were never asked for. */
  ranges(state: ChainState): Promise<readonly TracedRange[]> {
    return this.#ranges.of('traced', state, async () => {
      const rows = await this.database.readBinary<{ from_block: string; to_block: string }>(
        getStatement(this.statements, 'traced_blocks'),
        { finalized: state.finalized, head: state.head },
      );
      return joinRanges(rows.map((row) => ({ from: Number(row.from_block), to: Number(row.to_block) })));
    });
  }
}

/** Sorted, without overlaps, neighbours joined. */
function joinRanges(ranges: readonly TracedRange[]): TracedRange[] {
  const joined: TracedRange[] = [];
  for (const range of [...ranges].sort((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last && range.from <= last.to + 1)
      joined[joined.length - 1] = { from: last.from, to: Math.max(last.to, range.to) };
    else joined.push(range);
  }
  return joined;
}

/** Parts of a window that are traced and that a reader of the state may see. */
export function tracedWithin(
  ranges: readonly TracedRange[],
  state: ChainState,
  from: number,
  to: number,
): TracedRange[] {
  const [low, high] = [Math.max(from, state.startBlock), Math.min(to, state.head)];
  return ranges
    .map((range) => ({ from: Math.max(range.from, low), to: Math.min(range.to, high) }))
    .filter((range) => range.from <= range.to);
}

/** Whether all of a window, from the first indexed block to the head, is traced. */
export function isTraced(ranges: readonly TracedRange[], state: ChainState, from: number, to: number): boolean {
  const [low, high] = [Math.max(from, state.startBlock), Math.min(to, state.head)];
  return ranges.some((range) => range.from <= low && high <= range.to);
}
