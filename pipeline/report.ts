/** What the pipeline is doing and what keeps it, for /status: written with every sign of life, and at once when it changes. */

type Phase = 'starting' | 'following' | 'holding' | 'failing';

/** An endpoint whose block at a finalized height is not the stored one. */
export interface Contradiction {
  /** Host of the endpoint. */
  readonly endpoint: string;
  readonly block: number;
  /** Hash stored here. */
  readonly stored: string;
  /** Hash that the endpoint has there. */
  readonly theirs: string;
}

/** A block that no endpoint serves soundly, at the head. */
export interface BadBlock {
  readonly block: number;
  /** What is wrong with it. */
  readonly fault: string;
  readonly sinceMs: number;
}

export interface ReportState {
  readonly phase: Phase;
  /** Why nothing is written, or what fails; null while all is well. */
  readonly reason: string | null;
  /** Of the phase and reason, Unix milliseconds. */
  readonly sinceMs: number;
  readonly badBlock: BadBlock | null;
  /** Why history is not completed; null while it is, or goes on. */
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

  /** @param tell called after each change */
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
