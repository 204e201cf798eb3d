/** Logs entries that have waited for ten minutes, and again every ten minutes. */
import type { Log } from '#runtime/log.ts';

const longWaitMs = 600_000;

/** Times are from performance.now(). */
interface Wait {
  readonly state: string;
  readonly since: number;
  /** Time of the last error log, or of the start. */
  readonly reportedAt: number;
}

export class LongWaits {
  readonly #waits = new Map<string, Wait>();
  readonly log: Log;
  /** Name of the event that is logged for a new state; for a long wait, _long is appended. */
  readonly event: string;

  constructor(log: Log, event: string) {
    this.log = log;
    this.event = event;
  }

  note(key: string, state: string, fields: Readonly<Record<string, unknown>>): void {
    const now = performance.now();
    const before = this.#waits.get(key);
    const since = before?.since ?? now;
    const isLong = now - (before?.reportedAt ?? now) > longWaitMs;
    const minutes = Math.round((now - since) / 60_000);
    if (isLong) this.log.error({ event: `${this.event}_long`, ...fields, state, minutes });
    else if (before?.state !== state) this.log.info({ event: this.event, ...fields, state });
    this.#waits.set(key, { state, since, reportedAt: isLong ? now : (before?.reportedAt ?? now) });
  }

  end(key: string): void {
    this.#waits.delete(key);
  }
}
