/** One run of a pipeline among others on the same database: its id and its signs of life. */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { pause } from '#runtime/shutdown.ts';
import type { PipelineDeps } from '../deps.ts';

export type WorkerDeps = Pick<PipelineDeps, 'database' | 'log' | 'report'>;

/** Silence after which a worker counts as gone, ms, where the configuration says nothing else. */
const defaultLeaseMs = 10_000;
/** Signs of life within that time. */
const beatsPerLease = 5;

/** Ids of the workers that live in this process. */
const livingHere = new Set<string>();

export class Worker {
  readonly id = randomBytes(8).toString('hex');
  /** What it does at present; told with the next sign of life. */
  role: 'head' | 'helper' = 'helper';
  #beat = 0;
  readonly #ended = new AbortController();
  #beating: Promise<void> = Promise.resolve();
  readonly deps: WorkerDeps;
  /** As long as it may be silent before others take over what it holds, ms. */
  readonly leaseMs: number;

  constructor(deps: WorkerDeps, leaseMs = defaultLeaseMs) {
    this.deps = deps;
    this.leaseMs = leaseMs;
  }

  /** Gives the first sign of life; the next ones follow by themselves. */
  async join(): Promise<void> {
    livingHere.add(this.id);
    await this.beat();
    this.#beating = this.#keepBeating();
    this.deps.report?.onChange(() => this.#beatSoon());
  }

  /** Says that it is gone, so that nobody waits for its silence. A database that is away is not waited for. */
  async leave(): Promise<void> {
    this.#ended.abort();
    await this.#beating;
    livingHere.delete(this.id);
    await this.beat(true).catch((error: unknown) =>
      this.deps.log.warn({ event: 'worker_fault', error: String(error) }),
    );
  }

  /** @throws StoreError */
  async beat(isStopped = false): Promise<void> {
    await this.deps.database.execute('beat', {
      worker: this.id,
      beat: ++this.#beat,
      role: this.role,
      is_stopped: Number(isStopped),
      host: hostname(),
      pid: process.pid,
      report: JSON.stringify(this.deps.report?.state ?? null),
    });
  }

  /** A change of the report is told at once. */
  #beatSoon(): void {
    if (this.#ended.signal.aborted) return;
    this.beat().catch((error: unknown) => this.deps.log.warn({ event: 'worker_fault', error: String(error) }));
  }

  async #keepBeating(): Promise<void> {
    for (;;) {
      await pause(this.leaseMs / beatsPerLease, this.#ended.signal);
      if (this.#ended.signal.aborted) return;
      await this.beat().catch((error: unknown) => this.deps.log.warn({ event: 'worker_fault', error: String(error) }));
    }
  }
}

/**
 * Ids of the workers that count as alive: heard of within the lease, and not known to be dead. A worker of this machine is
 * known to be dead when no process has its id, so a pipeline that was killed and started again waits for nobody.
 */
export async function livingWorkers({ database }: WorkerDeps, leaseMs: number): Promise<Set<string>> {
  const rows = await database.read('workers');
  const living = rows.filter(({ worker, host, pid, silent_ms }) => {
    if (livingHere.has(worker)) return true;
    return Number(silent_ms) <= leaseMs && !(host === hostname() && isDeadHere(pid));
  });
  return new Set(living.map(({ worker }) => worker));
}

function isDeadHere(pid: number): boolean {
  if (pid === process.pid) return true; // an earlier process of this number: what lives in this one is known
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
