import { type ChainState, isWhole } from '#sql/snapshot.ts';
import { Cache } from '../cache/cache.ts';
import type { UnfinalizedReader } from './unfinalized.ts';

export interface LogReadDeps {
  readonly logReads: LogReads;
}

/** Caches values that depend only on the logs of some contracts: a new block without such logs leaves them valid. */
export class LogReads {
  readonly #values = new Cache<unknown>('log_reads');
  readonly unfinalized: UnfinalizedReader;

  constructor(unfinalized: UnfinalizedReader) {
    this.unfinalized = unfinalized;
  }

  /**
   * @param name says what is read, and must be unique
   * @param emitters addresses of the contracts
   * @param read reads the value from a state that has all logs of the contracts. That state can end before `state`
   */
  async of<T>(
    name: string,
    emitters: readonly string[],
    state: ChainState,
    read: (state: ChainState) => Promise<T>,
  ): Promise<T> {
    if (!isWhole(state)) return read(state);
    const needed = await this.unfinalized.getStateForEmitters(state, emitters);
    // an outdated state, which rows may be missing for, has another finalized block
    const key = `${name} ${state.finalized} ${needed.head} ${emitters.join(' ')}`;
    return this.#values.of(key, state, () => read(needed)) as Promise<T>;
  }
}
