/**
 * Limits concurrent requests to an endpoint. The limit grows while it is reached and the average latency is below four
 * times the minimum. It halves when the endpoint throttles or times out.
 */
export class AdaptiveLimit {
  #limit: number;
  #inFlight = 0;
  #shortestMs = Number.POSITIVE_INFINITY;
  #averageMs = 0;
  #lastHalvedAt = 0;
  readonly #waiting: (() => void)[] = [];
  readonly max: number;
  readonly now: () => number;

  constructor(max: number, now: () => number = Date.now) {
    this.max = max;
    this.now = now;

    this.#limit = Math.min(4, max);
  }

  get limit(): number {
    return Math.floor(this.#limit);
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  get load(): number {
    return (this.#inFlight + this.#waiting.length) / this.limit;
  }

  /** @throws what the task throws; the signal's reason if it aborts before the task starts */
  async run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    while (this.#inFlight >= this.limit) await this.#waitForPlace(signal);
    this.#inFlight++;
    const startedAt = this.now();
    try {
      const result = await task();
      this.#grow(this.now() - startedAt);
      return result;
    } finally {
      this.#inFlight--;
      this.#waiting.shift()?.();
    }
  }

  #waitForPlace(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(begin), 1);
        reject(signal?.reason);
      };
      const begin = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      if (signal?.aborted) return reject(signal.reason);
      signal?.addEventListener('abort', leave, { once: true });
      this.#waiting.push(begin);
    });
  }

  /** Halves the limit, only once for requests that fail at the same time. */
  halve(): void {
    if (this.now() - this.#lastHalvedAt < Math.max(this.#averageMs, 50)) return;
    this.#lastHalvedAt = this.now();
    this.#limit = Math.max(1, this.#limit / 2);
  }

  #grow(ms: number): void {
    this.#shortestMs = Math.min(this.#shortestMs * 1.01, Math.max(ms, 1));
    this.#averageMs = this.#averageMs * 0.9 + ms * 0.1;
    const flat = this.#averageMs < this.#shortestMs * 4;
    const saturated = this.#inFlight >= this.limit;
    if (flat && saturated) this.#limit = Math.min(this.max, this.#limit + 1 / this.#limit);
    if (this.#limit < this.max && this.#waiting.length > 0 && this.#inFlight < this.limit) this.#waiting.shift()?.();
  }
}
