import type { JobFault } from '../report.ts';

/** Rounds that an idle job skips, unless the chain state changes or another job finds work. */
const idleRounds = 5;
/** Maximum number of rounds that a failing job skips: 5 minutes at the default pause. */
const maxFailedRounds = 100;
/** Failures in a row from which on a job counts as failing. */
const reportedFailures = 3;

interface Failures {
  readonly count: number;
  readonly fault: string;
  readonly sinceMs: number;
  roundsLeft: number;
}

/** Decides which background jobs run in a round: idle jobs skip some rounds, failing jobs more after each failure. */
export class JobRounds {
  readonly #idle = new Map<string, number>();
  readonly #failures = new Map<string, Failures>();
  #version = -1;
  readonly now: () => number;

  constructor(now: () => number = Date.now) {
    this.now = now;
  }

  /** @param version version of the chain state; idle jobs run again after a change */
  begin(version: number): void {
    if (version !== this.#version) this.#idle.clear();
    this.#version = version;
    for (const [name, left] of this.#idle) {
      if (left > 1) this.#idle.set(name, left - 1);
      else this.#idle.delete(name);
    }
    for (const failures of this.#failures.values()) failures.roundsLeft--;
  }

  isSkipped(name: string): boolean {
    return this.#idle.has(name) || (this.#failures.get(name)?.roundsLeft ?? 0) > 0;
  }

  /** @param found whether the job found work */
  noteDone(name: string, found: number | boolean): void {
    this.#failures.delete(name);
    if (found) this.#idle.clear();
    else this.#idle.set(name, idleRounds);
  }

  /** @returns number of rounds until the job runs again */
  noteFailed(name: string, fault: string): number {
    const { count, sinceMs } = this.#failures.get(name) ?? { count: 0, sinceMs: this.now() };
    const roundsLeft = Math.min(2 ** count, maxFailedRounds);
    this.#failures.set(name, { count: count + 1, fault, sinceMs, roundsLeft });
    return roundsLeft;
  }

  /** Returns the last error of a job that failed several times in a row. */
  getFault(name: string): Omit<JobFault, 'job'> | undefined {
    const failures = this.#failures.get(name);
    if (failures === undefined || failures.count < reportedFailures) return undefined;
    return { fault: failures.fault, sinceMs: failures.sinceMs };
  }
}
