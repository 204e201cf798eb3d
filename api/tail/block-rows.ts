import { type ChainState, isWhole } from '#sql/snapshot.ts';

interface Source<Row> {
  /** Returns one row per block, from a block to the head, lowest block first. */
  read(state: ChainState, fromBlock: number): Promise<readonly Row[]>;
  numberOf(row: Row): number;
}

/** Rows of the newest blocks, to which each new block is added. A reorg or a gap empties it. */
export class BlockRows<Row> {
  #cached: { readonly reorgGeneration: number; readonly version: number; readonly rows: readonly Row[] } | undefined;
  readonly source: Source<Row>;

  constructor(source: Source<Row>) {
    this.source = source;
  }

  /**
   * Returns the rows up to the head, lowest block first.
   * @param first returns the first block to read if none is kept
   * @param keep says which rows to return, and to keep for later states
   */
  async of(
    state: ChainState,
    first: () => Promise<number> | number,
    keep: (row: Row) => boolean,
  ): Promise<readonly Row[]> {
    const { source } = this;
    const earlier = this.known(state) ?? [];
    const last = earlier.at(-1);
    const from = last === undefined ? await first() : source.numberOf(last) + 1;
    const more = from > state.head ? [] : await source.read(state, from);
    const rows = [...earlier, ...more].filter(keep);
    // caches nothing if a block is missing, so that the next call reads all blocks again
    const canCache = isWhole(state) && more.length === Math.max(0, state.head - from + 1);
    this.#cached = canCache ? { reorgGeneration: state.reorgGeneration, version: state.version, rows } : undefined;
    return rows;
  }

  /** Returns the kept rows of this state or of an earlier one without a reorg between; undefined: none are kept. */
  known(state: ChainState): readonly Row[] | undefined {
    const cached = this.#cached;
    const isContinued =
      cached && isWhole(state) && cached.reorgGeneration === state.reorgGeneration && cached.version <= state.version;
    return isContinued ? cached.rows : undefined;
  }
}
