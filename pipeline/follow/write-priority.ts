/** Gives new blocks priority: background work waits while they are inserted. */
import { pause } from '#runtime/shutdown.ts';

/** Maximum delay of background work, ms: it must progress even during a long catch-up. */
const defaultMaxWaitMs = 1_000;

export class WritePriority {
  #passing: Promise<unknown> | undefined;
  readonly maxWaitMs: number;

  constructor(maxWaitMs = defaultMaxWaitMs) {
    this.maxWaitMs = maxWaitMs;
  }

  async take<T>(work: () => Promise<T>): Promise<T> {
    const passing = work();
    this.#passing = passing.catch(() => undefined);
    return passing.finally(() => {
      this.#passing = undefined;
    });
  }

  async give(): Promise<void> {
    if (!this.#passing) return;
    const enough = new AbortController();
    const waited = pause(this.maxWaitMs, enough.signal).then(() => enough.abort());
    while (this.#passing !== undefined && !enough.signal.aborted) await Promise.race([this.#passing, waited]);
    enough.abort();
  }
}
