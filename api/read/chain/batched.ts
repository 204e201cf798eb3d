/**
 * Batches look-ups while another statement runs: ClickHouse needs longer to plan a statement than to read a row.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { known } from '#runtime/known.ts';
import type { ChainState } from '#sql/snapshot.ts';

interface Batch<Key, Value> {
  readonly keys: Key[];
  readonly values: Promise<readonly Value[]>;
}

const maxWaitMs = 25;

export class Batched<Key, Value> {
  readonly #open = new Map<string, Batch<Key, Value>>();
  #turn: Promise<unknown> = Promise.resolve();
  readonly read: (state: ChainState, keys: readonly Key[]) => Promise<readonly Value[]>;
  readonly maxKeys: number;

  /** @param read returns one value per key, in key order */
  constructor(read: (state: ChainState, keys: readonly Key[]) => Promise<readonly Value[]>, maxKeys: number) {
    this.read = read;
    this.maxKeys = maxKeys;
  }

  async of(state: ChainState, key: Key): Promise<Value> {
    // snapshots of the same version can have different heads
    const group = `${state.version} ${state.headHash} ${state.head}`;
    const open = this.#open.get(group);
    const batch = open && open.keys.length < this.maxKeys ? open : this.#begin(state, group);
    const index = batch.keys.push(key) - 1;
    return known((await batch.values)[index], 'a value of a batch');
  }

  #begin(state: ChainState, group: string): Batch<Key, Value> {
    const keys: Key[] = [];
    const turn = this.#turn;
    const values = turn.then(() => {
      if (this.#open.get(group) === batch) this.#open.delete(group);
      return this.read(state, keys);
    });
    const batch = { keys, values };
    this.#open.set(group, batch);
    const ended = values.catch(() => undefined);
    this.#turn = turn.then(() => Promise.race([ended, wait(maxWaitMs, undefined, { ref: false })]));
    return batch;
  }
}
