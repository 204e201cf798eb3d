/**
 * Limits concurrent exports and disconnects slow clients: an export occupies a database stream until the client has
 * read it.
 */
import { Readable } from 'node:stream';
import { getLimitedNetwork } from '#runtime/budgets/network.ts';
import { Places } from '#runtime/budgets/places.ts';
import { ApiProblem } from '../../terms/errors.ts';

/** Minimum speed while data waits for the client. */
export const minBytesPerSecond = 16_384;
const defaultPeriodMs = 20_000;
/** Periods to average over: while a client empties a full buffer, one period can show no progress. */
const averagedPeriods = 10;
const retryAfterSeconds = 10;

interface ExportCaller {
  readonly caller: string;
  /** IP address. */
  readonly address: string;
}

export class ExportSlots {
  readonly #places: Places;
  readonly most: number;

  /** @param most maximum exports; a caller or network gets at most half */
  constructor(most: number) {
    const half = Math.max(1, Math.floor(most / 2));
    this.most = most;
    this.#places = new Places(most, half, half);
  }

  /** @returns function that releases the slot @throws ApiProblem store_unavailable if no slot is free */
  take({ caller, address }: ExportCaller): () => void {
    const place = this.#places.take(caller, getLimitedNetwork(address));
    if (typeof place === 'function') return place;
    const reasons = {
      own: `you have ${this.#places.perHolder} exports open, the maximum per caller: finish one first`,
      network: `callers of your network have ${this.#places.perNetwork} exports open, the maximum: retry in ${retryAfterSeconds} s`,
      all: `all ${this.most} export slots are in use: retry in ${retryAfterSeconds} s`,
    };
    const reason = reasons[place];
    throw new ApiProblem('store_unavailable', reason, { retryAfterSeconds });
  }
}

export class ReaderPace {
  #bytes = 0;
  #waitsSince: number | undefined;
  #waitedMs = 0;
  readonly periodMs: number;

  constructor(periodMs = defaultPeriodMs) {
    this.periodMs = periodMs;
  }

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

  watch(stream: Readable): void {
    const periods: { readonly bytes: number; readonly waitedMs: number }[] = [];
    let before = 0;
    const timer = setInterval(() => {
      this.#countWaiting();
      periods.push({ bytes: this.#bytes - before, waitedMs: this.#waitedMs });
      if (periods.length > averagedPeriods) periods.shift();
      [before, this.#waitedMs] = [this.#bytes, 0];
      const bytes = periods.reduce((sum, period) => sum + period.bytes, 0);
      const waitedMs = periods.reduce((sum, period) => sum + period.waitedMs, 0);
      const isSlow = bytes < (minBytesPerSecond * waitedMs) / 1000 && waitedMs > this.periodMs / 4;
      if (isSlow)
        stream.destroy(new Error(`the client read the export slower than ${minBytesPerSecond} bytes per second`));
    }, this.periodMs);
    timer.unref();
    stream.once('close', () => clearInterval(timer));
  }
}

/** Disconnects a client that reads too slowly. */
export function atReaderPace(source: AsyncIterable<Buffer | string>): Readable {
  const pace = new ReaderPace();
  const body = Readable.from(paced(source, pace), { objectMode: false });
  pace.watch(body);
  return body;
}

const pieceBytes = 65_536;

async function* paced(source: AsyncIterable<Buffer | string>, pace: ReaderPace): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk; // splitting text could split a character
    // small pieces show the pace of a slow client within a large chunk
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      const piece = bytes.subarray(at, at + pieceBytes);
      pace.offer();
      yield piece;
      pace.took(piece.length);
    }
  }
}
