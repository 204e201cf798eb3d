/**
 * One consistent view a request. A request reads rows by one state of the chain, then the state again: if a reorg or a
 * repair came between, or unsettled rows that it may have read were dropped, it starts over with the newer state.
 */
import { type Database, StoreError } from '#sql/client.ts';
import { type ChainState, readChainState, readChainVersion } from '#sql/snapshot.ts';
import type { Statements } from '#sql/statements.ts';
import { ApiProblem } from './errors.ts';

const maxTries = 8;
/** How long a state is likely to be the current one still, ms: a request that begins with it saves one read. */
const likelyCurrentMs = 100;

interface Seen {
  readonly state: ChainState;
  /** When its read ended, by performance.now(). */
  readonly at: number;
}

export class SnapshotReader {
  #running: Promise<ChainState | undefined> | undefined;
  #next: Promise<ChainState | undefined> | undefined;
  #seen: Seen | undefined;

  constructor(
    readonly database: Database,
    readonly statements: Statements,
  ) {}

  /** The state now; calls that come while one is read share it. */
  current(): Promise<ChainState | undefined> {
    this.#running ??= this.#read().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /**
   * Runs `read` against one state that was current after this call; its result, or its refusal, is of that state alone.
   * @throws ApiProblem indexing before the first start, store_unavailable when the chain does not hold still
   */
  async run<T>(read: (state: ChainState) => Promise<T>): Promise<T> {
    const guess = this.#likelyCurrent();
    let state = guess ?? (await this.#fresh());
    for (let attempt = 0; attempt < maxTries; attempt++) {
      if (!state) throw new ApiProblem('indexing', 'nothing is indexed yet');
      const outcome = await settle(read(state));
      const after = await this.#fresh();
      const isGuess = attempt === 0 && state === guess;
      if (after && (isGuess ? after.version === state.version : holdsStill(state, after))) return outcome();
      state = after;
    }
    throw new ApiProblem('store_unavailable', 'the chain is being reorganised, try again');
  }

  #likelyCurrent(): ChainState | undefined {
    const seen = this.#seen;
    return seen && performance.now() - seen.at < likelyCurrentMs ? seen.state : undefined;
  }

  async #read(): Promise<ChainState | undefined> {
    const seen = this.#seen?.state;
    const isSame = seen && (await readChainVersion(this.database, this.statements)) === seen.version;
    const state = isSame ? seen : await readChainState(this.database, this.statements);
    this.#seen = state && { state, at: performance.now() };
    return state;
  }

  /** A read that begins after this call; calls that come while one is awaited share the next. */
  #fresh(): Promise<ChainState | undefined> {
    if (!this.#running) return this.current();
    this.#next ??= this.#running
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        return this.current();
      });
    return this.#next;
  }
}

/** True when rows that were read by `before` were all there until `after` was read. */
function holdsStill(before: ChainState, after: ChainState): boolean {
  return after.epoch === before.epoch && after.droppedThrough <= before.finalized;
}

/** The outcome, to be taken or thrown later. Faults of the database are thrown at once. */
async function settle<T>(work: Promise<T>): Promise<() => T> {
  try {
    const value = await work;
    return () => value;
  } catch (error) {
    if (error instanceof StoreError) throw error;
    return () => {
      throw error;
    };
  }
}
