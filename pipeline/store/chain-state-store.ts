/** Writes the table chain_state, which defines the blocks that readers may use. No other code writes it. */
import { pause } from '#runtime/shutdown.ts';
import { RowWriter } from '#sql/row-writer.ts';
import { type ChainState, readChainState, readerGraceMs } from '#sql/snapshot.ts';
import type { StoreDeps } from '../deps.ts';

type Change = Partial<Omit<ChainState, 'version' | 'updatedAtMs'>>;

/** Fields that can progress while no node answers, so they prove nothing about the nodes. */
const ownProgress: readonly string[] = ['rollupThrough', 'hourThrough', 'dayThrough', 'droppedThrough'];

export const undoubted = { doubtedFrom: undefined, doubtedSinceMs: 0, doubt: '', reorgIntent: '' } as const;

export class ChainStateStore {
  #state: ChainState | undefined;
  #finalizedChanges = 0;
  #last: Promise<unknown> = Promise.resolve();
  readonly deps: StoreDeps;

  constructor(deps: StoreDeps) {
    this.deps = deps;
  }

  get state(): ChainState {
    if (!this.#state) throw new Error('the chain state is not loaded');
    return this.#state;
  }

  /** Counts changes that may have changed rows of finalized blocks, since the creation of this object. */
  get finalizedChanges(): number {
    return this.#finalizedChanges;
  }

  /** Returns false when the table chain_state has no row. */
  async load(): Promise<boolean> {
    this.#state = await readChainState(this.deps.database);
    return this.#state !== undefined;
  }

  async init(state: Omit<ChainState, 'version' | 'updatedAtMs'>): Promise<void> {
    this.#state = { ...state, version: 0, updatedAtMs: Date.now() };
    await this.publish({});
  }

  /** Changes the chain state, in call order. Readers see the change when the promise resolves. */
  publish(change: Change | ((state: ChainState) => Change)): Promise<void> {
    return this.#publish(change, 1);
  }

  /**
   * Publishes a version and a reorg generation above all earlier ones: a power failure can lose rows whose numbers
   * readers know.
   */
  leap(): Promise<void> {
    return this.#publish(({ reorgGeneration }) => ({ reorgGeneration: reorgGeneration + 1_000 }), 1_000_000);
  }

  #publish(change: Change | ((state: ChainState) => Change), versions: number, keepsFinalized = false): Promise<void> {
    const next = this.#last.then(async () => {
      const current = this.state;
      const applied = typeof change === 'function' ? change(current) : change;
      const isOwn = Object.keys(applied).every((name) => ownProgress.includes(name));
      const updatedAtMs = isOwn ? current.updatedAtMs : Date.now();
      const state = { ...current, ...applied, version: current.version + versions, updatedAtMs };
      await this.deps.database.insertRowBinary('chain_state', encode(state));
      this.#state = state;
      if (state.reorgGeneration !== current.reorgGeneration && !keepsFinalized) this.#finalizedChanges++;
    });
    this.#last = next.catch(() => {});
    return next;
  }

  /**
   * Checks that this process still holds the head claim. Without it, deletions match no rows, without an error.
   * @throws ClaimLostError
   */
  assertHeld(): Promise<void> {
    return this.publish({});
  }

  /**
   * Publishes a change that hides data, before its removal. Resolves when no request can still use the earlier state
   * unnoticed.
   */
  async retract(change: Change | ((state: ChainState) => Change)): Promise<void> {
    await this.publish(change);
    await pause(readerGraceMs);
  }

  /** Like `retract`, for changes that hide only unfinalized blocks. */
  async retractUnfinalized(change: (state: ChainState) => Change): Promise<void> {
    await this.#publish(change, 1, true);
    await pause(readerGraceMs);
  }
}

function encode(state: ChainState): Buffer {
  const w = new RowWriter(512);
  w.uint8(0);
  w.uint64(state.version);
  w.uint64(state.startBlock);
  w.uint64(state.backfilledBefore);
  w.uint64(state.followFrom);
  w.uint64(state.finalized);
  w.uint64(state.head);
  w.fixed(state.headHash, 32);
  w.uint64(state.chainHead);
  w.uint64(state.droppedThrough);
  w.uint64Array(state.quarantined);
  w.uint64(state.reorgGeneration);
  w.uint64(state.rollupThrough);
  w.uint32(state.hourThrough);
  w.uint32(state.dayThrough);
  w.uint64(state.updatedAtMs);
  w.uint64(state.doubtedFrom ?? 0);
  w.uint64(state.doubtedSinceMs);
  w.text(state.doubt);
  w.text(state.reorgIntent);
  w.uint64Array(state.repairs.map(({ generation }) => generation));
  w.uint64Array(state.repairs.map(({ fromBlock }) => fromBlock));
  return w.view();
}
