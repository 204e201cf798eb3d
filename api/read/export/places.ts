/**
 * Places for exports: each holds one of the database's streams for as long as its reader takes. A caller has some of them,
 * never all, and who reads too slowly gives his place back.
 */
import type { Readable } from 'node:stream';
import { Places } from '#runtime/budgets/places.ts';
import { ApiProblem } from '../../terms/errors.ts';

/** Least that a reader takes, bytes a second on average of one period. */
export const leastBytesPerSecond = 16_384;
const usualPeriodMs = 20_000;
/** Periods that are judged together: megabytes may lie in the buffers between, which a slow reader takes long to empty. */
const judgedPeriods = 10;
/** When a caller who found no place should come again, seconds. */
const retryAfterSeconds = 10;

export class ExportPlaces {
  readonly #places: Places;
  readonly most: number;

  /** @param most exports at once; one caller has half of them at most */
  constructor(most: number) {
    this.most = most;

    this.#places = new Places(most, Math.max(1, Math.floor(most / 2)));
  }

  /** @returns how to give the place back, once @throws ApiProblem store_unavailable where there is none */
  take(caller: string): () => void {
    const place = this.#places.take(caller);
    if (typeof place === 'function') return place;
    const reason =
      place === 'own'
        ? `${this.#places.perHolder} exports of yours are being read, as many as one caller may have: read one to its end`
        : `all ${this.most} places for exports are taken, come again in ${retryAfterSeconds} s`;
    throw new ApiProblem('store_unavailable', reason, { retryAfterSeconds });
  }
}

/** How fast a client reads an export. The producer of the rows reports each chunk. */
export class ReaderPace {
  #bytes = 0;
  #waitsSince: number | undefined;
  /** Of the period so far, before #waitsSince. */
  #waitedMs = 0;
  readonly periodMs: number;

  /** @param periodMs after which it is looked at */
  constructor(periodMs = usualPeriodMs) {
    this.periodMs = periodMs;
  }

  /** A chunk is ready, and the reader has not taken it yet. */
  offer(): void {
    this.#waitsSince = performance.now();
  }

  took(bytes: number): void {
    this.#bytes += bytes;
    this.#countWaiting();
    this.#waitsSince = undefined;
  }

  #countWaiting(): void {
    if (this.#waitsSince === undefined) return;
    const now = performance.now();
    this.#waitedMs += now - this.#waitsSince;
    this.#waitsSince = now;
  }

  /** Breaks a stream off whose reader took too little in the last periods while something was ready for it. */
  watch(stream: Readable): void {
    const periods: { readonly bytes: number; readonly waitedMs: number }[] = [];
    let before = 0;
    const timer = setInterval(() => {
      this.#countWaiting();
      periods.push({ bytes: this.#bytes - before, waitedMs: this.#waitedMs });
      if (periods.length > judgedPeriods) periods.shift();
      [before, this.#waitedMs] = [this.#bytes, 0];
      const bytes = periods.reduce((sum, period) => sum + period.bytes, 0);
      const waitedMs = periods.reduce((sum, period) => sum + period.waitedMs, 0);
      const isSlow = bytes < (leastBytesPerSecond * waitedMs) / 1000 && waitedMs > this.periodMs / 4;
      if (isSlow) stream.destroy(new Error('the reader of the export is too slow'));
    }, this.periodMs);
    timer.unref();
    stream.once('close', () => clearInterval(timer));
  }
}
