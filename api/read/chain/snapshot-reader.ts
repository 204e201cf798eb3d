/**
 * Gives each request a consistent snapshot of the chain, at most `recentMs` old at the start. The pipeline waits
 * readerGraceMs after a new snapshot before it deletes rows of the old one.
 */
import type { Database } from '#sql/client.ts';
import { type ChainState, finalizedPart, isIntact, readChainState, readerGraceMs } from '#sql/snapshot.ts';
import { StoreError } from '#sql/store-error.ts';
import { ApiProblem } from '../../terms/errors.ts';

const maxTries = 8;
/** Time after which no attempt begins, ms: a slow request would be interrupted again and delay others. */
const maxTriesMs = 40_000;
/** Time for which requests share a snapshot, ms. */
const recentMs = { idle: 40, busy: 250 } as const;
/**
 * Maximum age of a snapshot on which a request may start while the newest is read, ms. The pipeline deletes rows of
 * finalized blocks later, so no request caches values without these rows.
 */
const maxGuessMs = 10_000;
/** Margin for clock differences and delays of the pipeline, ms. */
const marginMs = 50;

export type Snapshots = Pick<SnapshotReader, 'current' | 'fresh' | 'lastHead' | 'lastVersion' | 'isStill' | 'run'>;

export const nothingIndexed = () => new ApiProblem('indexing', 'nothing is indexed yet');

/**
 * Call this before a change whose reply needs a snapshot: a request that fails with the error indexing must change nothing,
 * because clients repeat it.
 * @throws ApiProblem indexing before the first block
 */
export async function assertIndexed(snapshots: Pick<Snapshots, 'current'>): Promise<void> {
  if (!(await snapshots.current())) throw nothingIndexed();
}

interface RunOptions {
  /** False: starts on the last snapshot while a new one is read, and repeats if they differ. */
  readonly isExpensive?: boolean;
  /** True: reads only finalized blocks. The request then continues when rows of unfinalized blocks are deleted. */
  readonly isFinal?: boolean;
}

interface Seen {
  readonly state: ChainState;
  readonly askedAt: number;
}

export class SnapshotReader {
  #running: Promise<Seen | undefined> | undefined;
  #next: Promise<Seen | undefined> | undefined;
  #seen: Seen | undefined;
  #readMs = 0;
  readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  async current(): Promise<ChainState | undefined> {
    return (await this.#read())?.state;
  }

  /** Reads the state after this call; `current` may join an earlier read. */
  async fresh(): Promise<ChainState | undefined> {
    return (await this.#fresh())?.state;
  }

  get lastHead(): number | undefined {
    return this.#seen?.state.head;
  }

  get lastVersion(): number | undefined {
    return this.#seen?.state.version;
  }

  async isStill(version: number): Promise<boolean> {
    const seen = this.#recent() ?? (await this.#fresh());
    return seen?.state.version === version;
  }

  /**
   * Runs `read` on a snapshot, and again if rows of the snapshot were deleted meanwhile.
   * @throws ApiProblem indexing before the first block; store_unavailable after `maxTries` tries or `maxTriesMs`
   */
  async run<T>(
    read: (state: ChainState) => Promise<T>,
    { isExpensive = false, isFinal = false }: RunOptions = {},
  ): Promise<T> {
    let seen = this.#recent();
    if (!seen && this.#seen && !isExpensive && performance.now() - this.#seen.askedAt < maxGuessMs) {
      const guess = this.#seen.state;
      const guessed = defer(read(guess));
      guessed.catch(() => undefined);
      seen = await this.#fresh();
      if (seen?.state.version === guess.version) {
        const outcome = await guessed;
        if (await this.#isReadable(seen, isFinal)) return outcome();
        seen = this.#seen;
      }
    }
    const startedAt = performance.now();
    seen ??= await this.#fresh();
    for (let attempt = 0; attempt < maxTries && performance.now() - startedAt < maxTriesMs; attempt++) {
      if (!seen) throw nothingIndexed();
      const outcome = await defer(read(seen.state));
      if (await this.#isReadable(seen, isFinal)) return outcome();
      seen = this.#seen;
    }
    throw new ApiProblem('store_unavailable', 'changes of the chain interrupted this request several times; try again');
  }

  #recent(): Seen | undefined {
    if (!this.#seen) return undefined;
    const age = performance.now() - this.#seen.askedAt;
    const recent = Math.min(Math.max(recentMs.idle, 2 * this.#readMs), recentMs.busy);
    if (age >= recent) return undefined;
    // in advance, so that frequent requests never wait
    if (age >= recent / 2 && !this.#running) this.#read().catch(() => undefined);
    return this.#seen;
  }

  async #isReadable({ state, askedAt }: Seen, isFinal: boolean): Promise<boolean> {
    if (performance.now() - askedAt < readerGraceMs - marginMs) return true;
    const after = await this.#fresh();
    return after !== undefined && isIntact(isFinal ? finalizedPart(state) : state, after.state);
  }

  #read(): Promise<Seen | undefined> {
    this.#running ??= this.#ask().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #ask(): Promise<Seen | undefined> {
    const askedAt = performance.now();
    const state = await readChainState(this.database, this.#seen?.state);
    this.#readMs = performance.now() - askedAt;
    this.#seen = state && { state, askedAt };
    return this.#seen;
  }

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

/** Throws database errors at once, other errors when the returned function is called. */
async function defer<T>(work: Promise<T>): Promise<() => T> {
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
