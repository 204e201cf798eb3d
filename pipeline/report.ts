/** Pipeline state for /status, stored with every heartbeat and change. */

type Phase = 'starting' | 'following' | 'holding' | 'failing';

/** Finalized block for which an endpoint reports another hash. */
export interface Contradiction {
  readonly endpoint: string;
  readonly block: number;
  readonly stored: string;
  readonly theirs: string;
}

/** Block for which no endpoint has valid data. */
export interface BadBlock {
  readonly block: number;
  readonly fault: string;
  readonly sinceMs: number;
}

/** Background job that failed at least three times in a row. */
export interface FailingJob {
  readonly job: string;
  readonly fault: string;
  /** Time of the first of these failures, Unix ms. */
  readonly sinceMs: number;
}

/** Minimum failures in a row for /status to list a job: one is often a slow reply of a node. */
const reportedFailures = 3;

export interface ReportState {
  readonly phase: Phase;
  /** Why the pipeline writes nothing, or its last error; null if neither. */
  readonly reason: string | null;
  /** Time of the last change of phase or reason, Unix ms. */
  readonly sinceMs: number;
  readonly badBlock: BadBlock | null;
  /** Last error of the backfill; null while it works. */
  readonly historyFault: string | null;
  /** Why blocks do not become final; null while they do. */
  readonly finalityFault: string | null;
  /** Last error of the raw cache; null while it works. */
  readonly rawCacheFault: string | null;
  readonly jobFaults: readonly FailingJob[];
  readonly contradictions: readonly Contradiction[];
  /** Whether internal calls are indexed; null until a node was queried. */
  readonly traces: 'off' | 'indexed' | 'unsupported' | null;
}

type Change = Partial<
  Pick<
    ReportState,
    'phase' | 'reason' | 'contradictions' | 'historyFault' | 'finalityFault' | 'rawCacheFault' | 'jobFaults' | 'traces'
  >
> & {
  badBlock?: Pick<BadBlock, 'block' | 'fault'> | null;
};

export class PipelineReport {
  #state: ReportState;
  #onChange: () => void = () => {};
  readonly #failures = new Map<string, { readonly count: number; readonly sinceMs: number }>();
  readonly now: () => number;

  constructor(now: () => number = Date.now) {
    this.now = now;

    const sinceMs = now();
    this.#state = {
      phase: 'starting',
      reason: null,
      sinceMs,
      badBlock: null,
      historyFault: null,
      finalityFault: null,
      rawCacheFault: null,
      jobFaults: [],
      contradictions: [],
      traces: null,
    };
  }

  get state(): ReportState {
    return this.#state;
  }

  onChange(tell: () => void): void {
    this.#onChange = tell;
  }

  set(change: Change): void {
    const before = this.#state;
    const { phase, reason } = { ...before, ...change };
    const sinceMs = phase === before.phase && reason === before.reason ? before.sinceMs : this.now();
    const badBlock = change.badBlock === undefined ? before.badBlock : this.#badBlock(change.badBlock);
    const next = { ...before, ...change, sinceMs, badBlock };
    if (JSON.stringify(next) === JSON.stringify(before)) return;
    this.#state = next;
    this.#onChange();
  }

  /** Records the end of a run of recurring work, for /status. */
  noteRun(job: string, error?: unknown): void {
    if (error === undefined) this.#failures.delete(job);
    else {
      const { count = 0, sinceMs = this.now() } = this.#failures.get(job) ?? {};
      this.#failures.set(job, { count: count + 1, sinceMs });
    }
    const failures = this.#failures.get(job);
    const isReported = failures !== undefined && failures.count >= reportedFailures;
    this.#setFailingJob(job, isReported ? { fault: String(error), sinceMs: failures.sinceMs } : undefined);
  }

  #setFailingJob(job: string, fault: Omit<FailingJob, 'job'> | undefined): void {
    const others = this.#state.jobFaults.filter((each) => each.job !== job);
    const jobFaults = fault ? [...others, { job, ...fault }] : others;
    // sorted, so that the order of failures changes nothing
    this.set({ jobFaults: jobFaults.toSorted((a, b) => (a.job < b.job ? -1 : 1)) });
  }

  #badBlock(bad: Pick<BadBlock, 'block' | 'fault'> | null): BadBlock | null {
    if (bad === null) return null;
    const before = this.#state.badBlock;
    return { ...bad, sinceMs: before?.block === bad.block ? before.sinceMs : this.now() };
  }
}
