import { pause } from '#runtime/shutdown.ts';

interface AskLaterOptions {
  /** Maximum number of keys of one question. */
  readonly atOnce: number;
  /** Maximum number of keys that wait; later ones are asked for when they are looked up again. */
  readonly maxWaiting: number;
}

const [shortestPauseMs, longestPauseMs] = [1_000, 300_000];
/** Time until a key is asked for again, ms. */
const askAgainMs = 86_400_000;

/** Collects keys that users look up, and asks a server for them in the background, each key once a day. */
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
   * Runs until the signal. After an error, the keys of the question wait behind the others.
   * @param onError receives the pause until the next question, ms
   */
  async run(
    ask: (keys: readonly string[]) => Promise<void>,
    onError: (error: unknown, keys: readonly string[], retryMs: number) => void,
    signal: AbortSignal,
  ): Promise<void> {
    let wait = shortestPauseMs;
    while (!signal.aborted) {
      await pause(wait, signal);
      // a key stays in the set until its question ends, so that a look-up meanwhile does not ask for it again
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
