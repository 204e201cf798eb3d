/**
 * A block on its way into the tables goes first: work beside it sends no statement meanwhile. What is sent already runs on,
 * since neither node nor database can be told to pause.
 */
import { pause } from '#runtime/shutdown.ts';

/** Work beside the main way waits no longer than this for one statement, ms: a chain that is caught up with starves nobody. */
const mostWaitMs = 1_000;

export class RightOfWay {
  #passing: Promise<unknown> | undefined;
  readonly maxWaitMs: number;

  constructor(maxWaitMs = mostWaitMs) {
    this.maxWaitMs = maxWaitMs;
  }

  /** Runs `work`, before which everyone else waits. One at a time. */
  async take<T>(work: () => Promise<T>): Promise<T> {
    const passing = work();
    this.#passing = passing.catch(() => undefined);
    return passing.finally(() => {
      this.#passing = undefined;
    });
  }

  /** Resolves when nothing has the right of way, or after maxWaitMs. */
  async give(): Promise<void> {
    if (!this.#passing) return;
    const enough = new AbortController();
    const waited = pause(this.maxWaitMs, enough.signal).then(() => enough.abort());
    while (this.#passing !== undefined && !enough.signal.aborted) await Promise.race([this.#passing, waited]);
    enough.abort();
  }
}
