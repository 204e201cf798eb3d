import { type ChainState, isWhole } from '#sql/snapshot.ts';
import { Cache } from '../cache/cache.ts';
import type { RecentHistory } from './recent-history.ts';

export interface LogReadDeps {
  readonly logReads: LogReads;
}

/** Caches values that depend only on logs of some contracts. Blocks without such logs leave them valid. */
export class LogReads {
  readonly #values = new Cache<unknown>('log_reads');
  readonly recentHistory: RecentHistory;

  constructor(recentHistory: RecentHistory) {
    this.recentHistory = recentHistory;
  }

  /**
   * @param name unique name of the value
   * @param emitters contract addresses
   * @param read receives a state that contains all logs of the contracts; its head can be below that of `state`
   */
  async of<T>(
    name: string,
    emitters: readonly string[],
    state: ChainState,
    read: (state: ChainState) => Promise<T>,
  ): Promise<T> {
    if (!isWhole(state)) return read(state);
    const needed = await this.recentHistory.getStateForEmitters(state, emitters);
    // the finalized block is in the key, because rows of an older state may be deleted
    const key = `${name} ${state.finalized} ${needed.head} ${emitters.join(' ')}`;
    return this.#values.of(key, state, () => read(needed)) as Promise<T>;
  }
}
