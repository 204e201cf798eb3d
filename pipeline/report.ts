/** Written with every heartbeat, and at once when it changes; for /status. */

type Phase = 'starting' | 'following' | 'holding' | 'failing';

/** At a finalized height. */
export interface Contradiction {
  /** Host. */
  readonly endpoint: string;
  readonly block: number;
  /** Hash. */
  readonly stored: string;
  /** Hash. */
  readonly theirs: string;
}

/** No endpoint has valid data. */
export interface BadBlock {
  readonly block: number;
  readonly fault: string;
  readonly sinceMs: number;
}

export interface ReportState {
  readonly phase: Phase;
  /** Why nothing is written, or the last error. */
  readonly reason: string | null;
  /** Of this phase and reason, Unix milliseconds. */
  readonly sinceMs: number;
  readonly badBlock: BadBlock | null;
  /** Null: the backfill works. */
  readonly historyFault: string | null;
  readonly contradictions: readonly Contradiction[];
}

type Change = Partial<Pick<ReportState, 'phase' | 'reason' | 'contradictions' | 'historyFault'>> & {
  badBlock?: Pick<BadBlock, 'block' | 'fault'> | null;
};

export class PipelineReport {
  #state: ReportState;
  #onChange: () => void = () => {};
  readonly now: () => number;

  constructor(now: () => number = Date.now) {
    this.now = now;

    const sinceMs = now();
    this.#state = { phase: 'starting', reason: null, sinceMs, badBlock: null, historyFault: null, contradictions: [] };
  }

  get state(): ReportState {
    return this.#state;
  }

  onChange(tell: () => void): void {
    this.#onChange = tell;
  }

  set(change: Change): void {
    const before = this.#state;
    const { phase, reason, contradictions, historyFault } = { ...before, ...change };
    const sinceMs = phase === before.phase && reason === before.reason ? before.sinceMs : this.now();
    const badBlock = change.badBlock === undefined ? before.badBlock : this.#badBlock(change.badBlock);
    const next = { phase, reason, sinceMs, badBlock, historyFault, contradictions };
    if (JSON.stringify(next) === JSON.stringify(before)) return;
    this.#state = next;
    this.#onChange();
  }

  #badBlock(bad: Pick<BadBlock, 'block' | 'fault'> | null): BadBlock | null {
    if (bad === null) return null;
    const before = this.#state.badBlock;
    return { ...bad, sinceMs: before?.block === bad.block ? before.sinceMs : this.now() };
  }
}
