/**
 * Caches block times until a reorg. Caches the first block at or after a time only if the block is finalized and no
 * block is missing.
 */

import type { Database } from '#sql/client.ts';
import { firstBlockAt } from '#sql/first-block-at.ts';
import { type ChainState, isWhole, snapshotParameters } from '#sql/snapshot.ts';
import { Cache } from '../../cache/cache.ts';

/** Maximum of time columns (UInt32), Unix seconds. */
const maxTime = 4_294_967_295;

export class BlockTimes {
  readonly #times = new Cache<number | undefined>('block_times');
  readonly #blocks = new Cache<number>('blocks_of_times');
  readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  /** @returns Unix seconds */
  async of(state: ChainState, block: number): Promise<number | undefined> {
    const time = await this.#times.of(String(block), state, () => this.#readTime(state, block));
    // the block may be stored later
    if (time === undefined) this.#times.delete(String(block), state);
    return time;
  }

  async head(state: ChainState): Promise<number> {
    return (await this.of(state, state.head)) ?? 0;
  }

  async first(state: ChainState): Promise<number | undefined> {
    const cached = await this.of(state, state.startBlock);
    if (cached !== undefined) return cached;
    const block = await firstBlockAt(this, state, 0);
    return block === undefined ? undefined : this.#readTime(state, block);
  }

  /** Returns the time of the first block, or of the next one if the genesis block has time 0 (many private chains). */
  async chartStart(state: ChainState): Promise<number | undefined> {
    const time = await this.first(state);
    if (time !== 0) return time;
    const block = await this.blockAt(state, 1);
    return block === undefined ? time : this.of(state, block);
  }

  /** Returns the first block at or after a Unix time. */
  async blockAt(state: ChainState, time: number): Promise<number | undefined> {
    if (time > maxTime) return undefined;
    const head = await this.head(state);
    if (head > 0 && time > head) return undefined;
    const cached = this.#blocks.get(String(time), state);
    if (cached !== undefined && cached <= state.finalized) return cached;
    const block = await firstBlockAt(this, state, time);
    const isFixed = isWhole(state) && block !== undefined && block <= state.finalized;
    if (isFixed) this.#blocks.set(String(time), state, block);
    return block;
  }

  async #readTime(state: ChainState, block: number): Promise<number | undefined> {
    const [row] = await this.database.readBinary('block_time', { ...snapshotParameters(state), block_number: block });
    return row?.timestamp;
  }
}
