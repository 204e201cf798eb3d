import { pause } from '#runtime/shutdown.ts';

interface AskLaterOptions {
  /** Maximum number of keys per request. */
  readonly atOnce: number;
  /** Maximum number of queued keys; `add` drops further ones. */
  readonly maxWaiting: number;
}

const [shortestPauseMs, longestPauseMs] = [1_000, 300_000];
/** Pause after a successful request of a key, ms. */
const askAgainMs = 86_400_000;

/** Queues looked-up keys, and requests each from a server in the background at most once a day. */
export class AskLater {
  readonly #waiting = new Set<string>();
  readonly #askedAt = new Map<string, number>();
  readonly options: AskLaterOptions;

  constructor(options: AskLaterOptions) {
    this.options = options;
  }

  add(key: string): void {
    const isAsked = Date.now() - (this.#askedAt.get(key) ?? 0) < askAgainMs;
    if (!isAsked && this.#waiting.size < this.options.maxWaiting) this.#waiting.add(key);
  }

  /**
   * Sends requests until the signal fires. After an error, the keys move to the end of the queue.
   * @param onError `retryMs` is the pause until the next request
   */
  async run(
    ask: (keys: readonly string[]) => Promise<void>,
    onError: (error: unknown, keys: readonly string[], retryMs: number) => void,
    signal: AbortSignal,
  ): Promise<void> {
    let wait = shortestPauseMs;
    while (!signal.aborted) {
      await pause(wait, signal);
      // keys stay queued, so that `add` does not repeat them
      const keys = [...this.#waiting].slice(0, this.options.atOnce);
      if (keys.length === 0 || signal.aborted) continue;
      try {
        await ask(keys);
        this.#remember(keys);
        wait = shortestPauseMs;
      } catch (error) {
        for (const key of keys) this.#waiting.delete(key);
        for (const key of keys) this.#waiting.add(key);
        wait = Math.min(2 * wait, longestPauseMs);
        if (!signal.aborted) onError(error, keys, wait);
      }
    }
  }

  #remember(keys: readonly string[]): void {
    for (const key of keys) {
      this.#waiting.delete(key);
      this.#askedAt.set(key, Date.now());
    }
    const tooMany = Math.max(0, this.#askedAt.size - this.options.maxWaiting);
    for (const [key] of [...this.#askedAt].slice(0, tooMany)) this.#askedAt.delete(key);
  }
}
