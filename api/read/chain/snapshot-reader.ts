/**
 * One consistent view a request. A request reads rows by a state of the chain that was current when it began, or became so
 * at most `recentMs` before. The rows of a state stay in place for readerGraceMs after the next one; a request that takes
 * longer asks for the state again, and starts over with the newer one if rows were taken away meanwhile.
 */
import type { Database } from '#sql/client.ts';
import { type ChainState, readChainState, readerGraceMs } from '#sql/snapshot.ts';
import { StoreError } from '#sql/store-error.ts';
import { ApiProblem } from '../../terms/errors.ts';

const maxTries = 8;
/**
 * Requests that begin within this time of a read of the state use what it gave, ms: many readers share few reads. Where the
 * database is so busy that a read takes long they share it longer, up to the second figure.
 */
const recentMs = { idle: 40, busy: 100 } as const;
/** Left of the time of grace for clocks and scheduling, ms. */
const marginMs = 50;

/** What a request needs of the states. */
export type Snapshots = Pick<SnapshotReader, 'current' | 'lastHead' | 'lastVersion' | 'isStill' | 'run'>;

/** A state, and when the read that gave it was sent, by performance.now(). */
interface Seen {
  readonly state: ChainState;
  readonly askedAt: number;
}

export class SnapshotReader {
  #running: Promise<Seen | undefined> | undefined;
  #next: Promise<Seen | undefined> | undefined;
  #seen: Seen | undefined;
  /** What the last read took. */
  #readMs = 0;
  readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  /** The state now; calls that come while one is read share it. */
  async current(): Promise<ChainState | undefined> {
    return (await this.#read())?.state;
  }

  /** Head of the state that was seen last; undefined before the first. */
  get lastHead(): number | undefined {
    return this.#seen?.state.head;
  }

  /** Version of the state that was seen last; undefined before the first. */
  get lastVersion(): number | undefined {
    return this.#seen?.state.version;
  }

  /** True when the state is of that version now, or was within the time in which requests share a look. */
  async isStill(version: number): Promise<boolean> {
    const seen = this.#recent() ?? (await this.#fresh());
    return seen?.state.version === version;
  }

  /**
   * Runs `read` against one state; its result, or its refusal, is of that state alone.
   * @throws ApiProblem indexing before the first start, store_unavailable when the chain does not hold still
   */
  async run<T>(read: (state: ChainState) => Promise<T>): Promise<T> {
    let seen = this.#recent();
    if (!seen && this.#seen) {
      // the state is most likely the one seen last: rows are read by it while it is asked for
      const guess = this.#seen.state;
      const guessed = finalize(read(guess));
      guessed.catch(() => undefined); // of a state that is over: what its rows or their faults are matters to nobody
      seen = await this.#fresh();
      if (seen?.state.version === guess.version) {
        const outcome = await guessed;
        if (await this.#held(seen)) return outcome();
        seen = this.#seen;
      }
    }
    seen ??= await this.#fresh();
    for (let attempt = 0; attempt < maxTries; attempt++) {
      if (!seen) throw new ApiProblem('indexing', 'nothing is indexed yet');
      const outcome = await finalize(read(seen.state));
      if (await this.#held(seen)) return outcome();
      seen = this.#seen;
    }
    throw new ApiProblem('store_unavailable', 'the chain is being reorganised, try again');
  }

  #recent(): Seen | undefined {
    if (!this.#seen) return undefined;
    const age = performance.now() - this.#seen.askedAt;
    const recent = Math.min(Math.max(recentMs.idle, 2 * this.#readMs), recentMs.busy);
    if (age >= recent) return undefined;
    // the next read is sent ahead: where requests follow each other none of them waits for it; a fault of it is met by the one that has to
    if (age >= recent / 2 && !this.#running) this.#read().catch(() => undefined);
    return this.#seen;
  }

  /** True when no row of that state can have been taken away yet, or a newer state says that none was. */
  async #held({ state, askedAt }: Seen): Promise<boolean> {
    if (performance.now() - askedAt < readerGraceMs - marginMs) return true;
    const after = await this.#fresh();
    return after !== undefined && holdsStill(state, after.state);
  }

  #read(): Promise<Seen | undefined> {
    this.#running ??= this.#ask().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #ask(): Promise<Seen | undefined> {
    const askedAt = performance.now();
    const known = this.#seen?.state;
    const now = await readChainState(this.database);
    this.#readMs = performance.now() - askedAt;
    const state = now && now.version === known?.version ? known : now;
    this.#seen = state && { state, askedAt };
    return this.#seen;
  }

  /** A read that begins after this call; calls that come while one is awaited share the next. */
  #fresh(): Promise<Seen | undefined> {
    if (!this.#running) return this.#read();
    this.#next ??= this.#running
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        return this.#read();
      });
    return this.#next;
  }
}

/** True when rows that were read by `before` were all there until `after` was read. */
function holdsStill(before: ChainState, after: ChainState): boolean {
  return after.reorgGeneration === before.reorgGeneration && after.droppedThrough <= before.finalized;
}

/** The outcome, to be taken or thrown later. Faults of the database are thrown at once. */
async function finalize<T>(work: Promise<T>): Promise<() => T> {
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
