import { type ChainState, isWhole } from '#sql/snapshot.ts';

interface Source<Row> {
  /** Returns one row per block up to the head, lowest first. */
  read(state: ChainState, fromBlock: number): Promise<readonly Row[]>;
  getNumber(row: Row): number;
}

/** Caches one row per recent block and appends new blocks. A reorg or a missing block empties the cache. */
export class BlockRows<Row> {
  #cached: { readonly reorgGeneration: number; readonly version: number; readonly rows: readonly Row[] } | undefined;
  readonly source: Source<Row>;

  constructor(source: Source<Row>) {
    this.source = source;
  }

  /**
   * Returns the rows up to the head, lowest block first.
   * @param first returns the start block if the cache is empty
   * @param keep selects the rows to return and cache
   */
  async of(
    state: ChainState,
    first: () => Promise<number> | number,
    keep: (row: Row) => boolean,
  ): Promise<readonly Row[]> {
    const { source } = this;
    const earlier = this.known(state) ?? [];
    const last = earlier.at(-1);
    const from = last === undefined ? await first() : source.getNumber(last) + 1;
    const more = from > state.head ? [] : await source.read(state, from);
    const rows = [...earlier, ...more].filter(keep);
    // if a block is missing, the next call must read all blocks again
    const canCache = isWhole(state) && more.length === Math.max(0, state.head - from + 1);
    this.#cached = canCache ? { reorgGeneration: state.reorgGeneration, version: state.version, rows } : undefined;
    return rows;
  }

  /** Returns cached rows; undefined after a reorg, if a block is missing, or if `state` is older than the rows. */
  known(state: ChainState): readonly Row[] | undefined {
    const cached = this.#cached;
    const isContinued =
      cached && isWhole(state) && cached.reorgGeneration === state.reorgGeneration && cached.version <= state.version;
    return isContinued ? cached.rows : undefined;
  }
}
