/** Rounds that an idle job skips, unless blocks become final or another job finds work. */
const idleRounds = 5;
/** Maximum rounds that a failed job skips: 5 minutes at the default pause. */
const maxFailedRounds = 100;

/** Decides which jobs run in a round. Idle jobs skip some rounds, failing jobs more after each failure. */
export class JobRounds {
  /** Rounds until the job runs again. */
  readonly #resting = new Map<string, number>();
  readonly #failures = new Map<string, number>();
  #version = '';

  /** @param version version of the processed blocks; after a change, idle jobs run again */
  begin(version: string): void {
    if (version !== this.#version) this.#wakeIdle();
    this.#version = version;
    for (const [name, left] of this.#resting) {
      if (left > 1) this.#resting.set(name, left - 1);
      else this.#resting.delete(name);
    }
  }

  isSkipped(name: string): boolean {
    return this.#resting.has(name);
  }

  noteDone(name: string, found: number | boolean): void {
    this.#failures.delete(name);
    if (found) this.#wakeIdle();
    else this.#resting.set(name, idleRounds);
  }

  /** @returns number of rounds until the job runs again */
  noteFailed(name: string): number {
    const count = this.#failures.get(name) ?? 0;
    this.#failures.set(name, count + 1);
    const rounds = Math.min(2 ** count, maxFailedRounds);
    this.#resting.set(name, rounds);
    return rounds;
  }

  #wakeIdle(): void {
    for (const name of this.#resting.keys()) if (!this.#failures.has(name)) this.#resting.delete(name);
  }
}
