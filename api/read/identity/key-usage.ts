/** Counts requests per API key in memory and stores the counts every second. A crash loses at most one second. */
import { randomUUID } from 'node:crypto';
import type { Log } from '#runtime/log.ts';
import type { Database } from '#sql/client.ts';
import { RowWriter } from '#sql/row-writer.ts';

const flushEveryMs = 1_000;
const dayMs = 86_400_000;

interface Count {
  readonly keyId: string;
  /** Days since 1970, UTC. */
  readonly day: number;
  calls: number;
  cost: number;
  usedMs: number;
  isWritten: boolean;
}

interface Usage {
  readonly today: number;
  readonly total: number;
  /** Total cost of the requests today (UTC). */
  readonly costToday: number;
  readonly costTotal: number;
  /** Unix ms; 0: never. */
  readonly usedMs: number;
}

export class KeyUsage {
  readonly #counter = randomUUID();
  readonly #counts = new Map<string, Count>();
  readonly #timer: NodeJS.Timeout;
  #flushing: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  readonly database: Database;
  readonly log: Log;

  constructor(database: Database, log: Log) {
    this.database = database;
    this.log = log;
    this.#timer = setInterval(() => void this.flush(), flushEveryMs);
    this.#timer.unref();
  }

  /** @param calls 0 for later costs of a counted request */
  note(keyId: string, cost: number, calls = 1): void {
    const now = Date.now();
    const day = Math.floor(now / dayMs);
    const countKey = `${keyId} ${day}`;
    const count = this.#counts.get(countKey) ?? { keyId, day, calls: 0, cost: 0, usedMs: 0, isWritten: false };
    count.calls += calls;
    count.cost += cost;
    count.usedMs = Math.max(now, count.usedMs + 1); // usedMs is the row version, so it must increase
    count.isWritten = false;
    this.#counts.set(countKey, count);
  }

  /** Returns the counts of a key. Those of other processes are up to 1 s old. @throws StoreError */
  async of(keyId: string): Promise<Usage> {
    await this.flush();
    const [row] = await this.database.read('api_key_usage', { key_id: keyId });
    return {
      today: Number(row?.calls_today ?? 0),
      total: Number(row?.calls_in_all ?? 0),
      costToday: Number(row?.cost_today ?? 0),
      costTotal: Number(row?.cost_in_all ?? 0),
      usedMs: Number(row?.used_ms ?? 0),
    };
  }

  /** Stores the counts. After an error, the next call stores them. */
  flush(): Promise<void> {
    this.#next ??= this.#flushing.then(() => {
      this.#next = undefined;
      this.#flushing = this.#write();
      return this.#flushing;
    });
    return this.#next;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  async #write(): Promise<void> {
    const today = Math.floor(Date.now() / dayMs);
    for (const [countKey, { day, isWritten }] of this.#counts)
      if (isWritten && day < today) this.#counts.delete(countKey);
    const due = [...this.#counts].filter(([, count]) => !count.isWritten);
    if (due.length === 0) return;
    const w = new RowWriter(128 * due.length);
    for (const [, { keyId, day, calls, cost, usedMs }] of due) {
      w.text(keyId);
      w.uint16(day);
      w.text(this.#counter);
      for (const value of [calls, cost, usedMs]) w.uint64(value);
      w.endRow();
    }
    for (const [, count] of due) count.isWritten = true;
    try {
      await this.database.insertRowBinary('api_key_usage', w.view());
    } catch (error) {
      for (const [, count] of due) count.isWritten = false;
      this.log.warn({ event: 'key_usage_not_written', keys: due.length, error: String(error) });
    }
  }
}
