/**
 * Times of blocks, and blocks of times: nearly every chart and list asks for the same few. What can't change is kept: times
 * within an epoch, and what lies in settled blocks while no gap can be filled and no block taken away.
 */

import type { Database } from '#sql/client.ts';
import { firstBlockAt } from '#sql/first-block-at.ts';
import { type ChainState, isWhole, snapshotParameters } from '#sql/snapshot.ts';
import { Cache } from '../../cache/cache.ts';

/** Latest Unix time that a block can have here. */
const maxTime = 4_294_967_295;

export class BlockTimes {
  readonly #times = new Cache<number>('block_times');
  readonly #blocks = new Cache<number>('blocks_of_times');
  readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  /** Of a block, Unix seconds; undefined where it is not visible. Within an epoch no visible block is replaced. */
  async of(state: ChainState, block: number): Promise<number | undefined> {
    const known = this.#times.get(String(block), state);
    if (known !== undefined) return known;
    const time = await this.#timeOf(state, block);
    if (time !== undefined) this.#times.set(String(block), state, time);
    return time;
  }

  /** Of the newest block of a state, Unix seconds; 0 where no block is visible. */
  async head(state: ChainState): Promise<number> {
    return (await this.of(state, state.head)) ?? 0;
  }

  /** Of the first block that is indexed, Unix seconds; undefined where no block is visible. */
  async first(state: ChainState): Promise<number | undefined> {
    const known = await this.of(state, state.startBlock);
    if (known !== undefined) return known;
    // the start is not there yet, or nobody could serve it
    const block = await firstBlockAt(this, state, 0);
    return block === undefined ? undefined : this.#timeOf(state, block);
  }

  /** Lowest block that is not older than a Unix time; undefined where none is. */
  async blockAt(state: ChainState, time: number): Promise<number | undefined> {
    if (time > maxTime) return undefined;
    const head = await this.head(state);
    if (head > 0 && time > head) return undefined;
    const known = this.#blocks.get(String(time), state);
    if (known !== undefined && known <= state.finalized) return known;
    const block = await firstBlockAt(this, state, time);
    const isFixed = isWhole(state) && block !== undefined && block <= state.finalized;
    if (isFixed) this.#blocks.set(String(time), state, block);
    return block;
  }

  async #timeOf(state: ChainState, block: number): Promise<number | undefined> {
    const [row] = await this.database.readBinary('block_time', { ...snapshotParameters(state), block_number: block });
    return row?.timestamp;
  }
}
