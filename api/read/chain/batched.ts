/**
 * Look-ups that go together: those that come while one of their kind is under way are asked in one statement after it. One
 * reader waits for nothing; of many each costs a fraction, since planning a statement takes the engine longer than a row more.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { known } from '#runtime/known.ts';
import type { ChainState } from '#sql/snapshot.ts';

interface Batch<Key, Value> {
  readonly keys: Key[];
  /** In the order of the keys. */
  readonly values: Promise<readonly Value[]>;
}

/** The next statement waits for the one under way no longer than this: an engine with a queue is slow, and not idle. */
const longestWaitMs = 25;

export class Batched<Key, Value> {
  /** By state: batches that are not sent yet. */
  readonly #open = new Map<string, Batch<Key, Value>>();
  /** Fulfilled when the next statement may be sent. */
  #turn: Promise<unknown> = Promise.resolve();
  readonly read: (state: ChainState, keys: readonly Key[]) => Promise<readonly Value[]>;
  readonly most: number;

  /**
   * @param read gives one value a key, in their order, as readers of that state see them
   * @param most keys of one statement
   */
  constructor(read: (state: ChainState, keys: readonly Key[]) => Promise<readonly Value[]>, most: number) {
    this.read = read;
    this.most = most;
  }

  /** @throws what `read` throws, to everybody whose key it was given */
  async of(state: ChainState, key: Key): Promise<Value> {
    // states of one version differ in how much of it is looked at
    const group = `${state.version} ${state.headHash} ${state.head}`;
    const open = this.#open.get(group);
    const batch = open && open.keys.length < this.most ? open : this.#begin(state, group);
    const place = batch.keys.push(key) - 1;
    return known((await batch.values)[place], 'a value of a batch');
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
    const answered = values.catch(() => undefined); // who asked is told
    this.#turn = turn.then(() => Promise.race([answered, wait(longestWaitMs, undefined, { ref: false })]));
    return batch;
  }
}
