import { randomBytes } from 'node:crypto';
import type { Log } from '#runtime/log.ts';
import { machine } from '#runtime/machine.ts';
import { isProcessAlive } from '#runtime/process-alive.ts';
import { pause } from '#runtime/shutdown.ts';
import type { ReportDeps, StoreDeps } from '../deps.ts';

export interface WorkerDeps extends StoreDeps, Partial<ReportDeps> {
  readonly log: Log;
}

export interface WorkerSettings {
  /** Time without a heartbeat after which another pipeline takes over, ms; default 10 s. */
  readonly leaseMs?: number;
  /** Blocks that a pipeline process reserves at once; default 1,000. */
  readonly claimBlocks?: number;
}

const defaultLeaseMs = 10_000;
const beatsPerLease = 5;

const ownHost = [machine.host, machine.bootId, machine.pidNamespace].join(' ');

const livingInProcess = new Set<string>();

export class Worker {
  readonly id = randomBytes(8).toString('hex');
  role: 'head' | 'helper' = 'helper';
  #beat = 0;
  readonly #ended = new AbortController();
  #beating: Promise<void> = Promise.resolve();
  #extra: Promise<void> = Promise.resolve();
  readonly deps: WorkerDeps;
  /** Lease timeout: time without a heartbeat after which a worker counts as dead, ms. */
  readonly leaseMs: number;

  constructor(deps: WorkerDeps, leaseMs = defaultLeaseMs) {
    this.deps = deps;
    this.leaseMs = leaseMs;
  }

  async join(): Promise<void> {
    livingInProcess.add(this.id);
    await this.beat();
    this.#beating = this.#keepBeating();
    this.deps.report?.onChange(() => this.#beatSoon());
  }

  /** Ends the worker and records this. If the database is unreachable, others wait for the lease timeout. */
  async leave(): Promise<void> {
    this.#ended.abort();
    await Promise.all([this.#beating, this.#extra]);
    livingInProcess.delete(this.id);
    await this.#tryBeat(true);
  }

  async beat(isStopped = false): Promise<void> {
    await this.deps.database.execute('beat', {
      worker: this.id,
      beat: ++this.#beat,
      role: this.role,
      is_stopped: Number(isStopped),
      host: ownHost,
      pid: process.pid,
      report: JSON.stringify(this.deps.report?.state ?? null),
    });
  }

  #beatSoon(): void {
    if (this.#ended.signal.aborted) return;
    const before = this.#extra;
    this.#extra = before.then(() => this.#tryBeat());
  }

  /** Only logs a failed heartbeat, because the next one follows soon. */
  async #tryBeat(isStopped = false): Promise<void> {
    await this.beat(isStopped).catch((error: unknown) =>
      this.deps.log.warn({ event: 'worker_error', error: String(error) }),
    );
  }

  async #keepBeating(): Promise<void> {
    for (;;) {
      await pause(this.leaseMs / beatsPerLease, this.#ended.signal);
      if (this.#ended.signal.aborted) return;
      await this.#tryBeat();
    }
  }
}

/**
 * Returns the living workers by id, and whether each is a pipeline or a command. A worker whose process on this machine
 * has ended is dead, so that a restarted pipeline need not wait for its lease timeout.
 */
export async function livingWorkers(
  { database }: WorkerDeps,
  leaseMs: number,
): Promise<Map<string, 'pipeline' | 'command'>> {
  const rows = await database.read('workers');
  const living = rows.filter(({ worker, host, pid, silent_ms }) => {
    if (livingInProcess.has(worker)) return true;
    return Number(silent_ms) <= leaseMs && !(host === ownHost && isDeadHere(pid));
  });
  return new Map(living.map(({ worker, is_command }) => [worker, is_command === 1 ? 'command' : 'pipeline']));
}

/** A stored worker with this pid is dead: the pid was reused, and this process's workers are in `livingInProcess`. */
const isDeadHere = (pid: number): boolean => pid === process.pid || !isProcessAlive(pid);
