/** Rounds until an idle job runs again, unless blocks become final or another job finds work. */
const idleRounds = 5;
/** Maximum number of rounds until a failed job runs again: 5 minutes at the default pause. */
const maxFailedRounds = 100;

/** Decides which background jobs run in a round: idle jobs rest for some rounds, failed jobs longer after each failure. */
export class JobRounds {
  /** Rounds until a resting job runs again. */
  readonly #resting = new Map<string, number>();
  /** Failures in a row. */
  readonly #failures = new Map<string, number>();
  #version = '';

  /** @param version of the blocks that the jobs process; idle jobs run again after a change */
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

  /** @param found whether the job found work */
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
