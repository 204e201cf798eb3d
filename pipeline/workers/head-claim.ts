/**
 * The head claim is the right to follow the chain. Only its holder finalizes, repairs, and changes what readers see.
 * The database rejects writes of former holders (docs/mechanisms.md).
 */
import { pause } from '#runtime/shutdown.ts';
import type { Fence } from '#sql/compile/fence.ts';
import { waitForRunningWrites } from '#sql/quiet-writes.ts';
import { livingWorkers, type Worker, type WorkerDeps } from './worker.ts';

interface Claim {
  readonly number: number;
  readonly worker: string;
}

/** A marker table exists as long as its process holds the head claim. */
const markerPrefix = 'head_claim_';

/**
 * Returns what kind of living worker holds the head claim (right to follow the chain); undefined if none.
 * @param self id of the calling worker, whose claim does not count: it was not completed
 */
export async function livingHolder(
  deps: WorkerDeps,
  leaseMs: number,
  self?: string,
): Promise<'pipeline' | 'command' | undefined> {
  const [holder] = await readClaims(deps);
  if (!holder || holder.worker === self) return undefined;
  return (await livingWorkers(deps, leaseMs)).get(holder.worker);
}

export class HeadClaim {
  readonly #lost = new AbortController();
  readonly deps: WorkerDeps;
  readonly claim: Claim;

  private constructor(deps: WorkerDeps, claim: Claim) {
    this.deps = deps;
    this.claim = claim;
  }

  /**
   * Takes the head claim (right to follow the chain), after all writes of earlier holders have ended.
   * @returns undefined when a living worker holds it or was faster
   * @throws StoreError
   */
  static async take(deps: WorkerDeps, worker: Worker, signal?: AbortSignal): Promise<HeadClaim | undefined> {
    const [holder] = await readClaims(deps);
    const isHeld = holder && holder.worker !== worker.id;
    if (isHeld && (await livingWorkers(deps, worker.leaseMs)).has(holder.worker)) return undefined;
    // a claim stored since the read is of a living worker
    return HeadClaim.#claim(deps, worker, { seen: holder?.number ?? 0, signal });
  }

  /** Takes the head claim from its holder, which then waits until this worker has left. @throws StoreError */
  static async seize(deps: WorkerDeps, worker: Worker): Promise<HeadClaim> {
    for (;;) {
      const head = await HeadClaim.#claim(deps, worker, { seen: -1 });
      if (head) return head;
    }
  }

  /** @param seen number of the highest claim that this worker knows; negative: any */
  static async #claim(
    deps: WorkerDeps,
    worker: Worker,
    { seen, signal }: { readonly seen: number; readonly signal?: AbortSignal | undefined },
  ): Promise<HeadClaim | undefined> {
    const { database } = deps;
    const claimed = { kind: 'head', worker: worker.id, from_block: 0, to_block: 0, seen };
    await database.execute('store_claim', claimed);
    const own = await highestClaim(deps);
    if (own?.worker !== worker.id) return undefined;
    const head = new HeadClaim(deps, own);
    await database.execute('create_marker', { table: head.marker });
    // a newer holder drops existing markers, but may have missed this one
    if (!(await head.isHighest())) {
      await database.execute('drop_marker', { table: head.marker });
      return undefined;
    }
    await head.#dropLowerMarkers();
    await waitForRunningWrites(deps, 'running_writes', signal);
    return head;
  }

  /** Aborts when this process loses the head claim: the database rejected a write, or another process took over. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Table that exists while the head claim is valid. Statements that drop partitions check this. */
  get marker(): string {
    return `${markerPrefix}${this.claim.number}_${this.claim.worker}`;
  }

  get fence(): Fence {
    const { number, worker } = this.claim;
    return {
      parameters: () => ({
        claim_kind: 'head',
        claim_number: number,
        claim_worker: worker,
        claim_marker: this.marker,
        claim_from: 0,
        claim_to: 0,
      }),
      onRefused: () => this.#lost.abort(),
    };
  }

  async watch(everyMs: number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !this.lost.aborted) {
      await pause(everyMs, signal);
      const isHighest = await this.isHighest().catch(() => true); // an unreachable database proves nothing
      if (!isHighest) this.#lost.abort();
    }
  }

  async isHighest(): Promise<boolean> {
    const highest = await highestClaim(this.deps);
    return highest?.worker === this.claim.worker && highest.number === this.claim.number;
  }

  #outranks(marker: string): boolean {
    const [number, worker] = marker.slice(markerPrefix.length).split('_');
    const difference = this.claim.number - Number(number);
    return difference === 0 ? this.claim.worker > String(worker) : difference > 0;
  }

  async #dropLowerMarkers(): Promise<void> {
    const { database } = this.deps;
    const markers = await database.read('head_markers');
    for (const { name } of markers) if (this.#outranks(name)) await database.execute('drop_marker', { table: name });
  }
}

async function readClaims({ database }: WorkerDeps): Promise<Claim[]> {
  const rows = await database.read('head_claims');
  return rows.map(({ number, worker }) => ({ number: Number(number), worker }));
}

async function highestClaim(deps: WorkerDeps): Promise<Claim | undefined> {
  return (await readClaims(deps))[0];
}
