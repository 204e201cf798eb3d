/**
 * Reads the log of blocks that were added to or removed from the chain.
 * @source docs/mechanisms.md#events-and-reorgs
 */
import { pause } from '#runtime/shutdown.ts';
import type { Database } from '#sql/client.ts';

export interface AnchorEvent {
  readonly sequence: number;
  readonly kind: 'added' | 'removed';
  readonly number: number;
  readonly hash: string;
  readonly parentHash: string;
  /** Block time in Unix seconds; 0 for a removed block. */
  readonly time: number;
}

const pollEveryMs = 20;
/** Maximum steps that a stream processes at once. Their events stay in memory until the client reads them. */
const maxEvents = 100;

export class AnchorEvents {
  readonly #stop = new AbortController();
  #polling: Promise<number> | undefined;
  readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  get stopped(): AbortSignal {
    return this.#stop.signal;
  }

  close(): void {
    this.#stop.abort();
  }

  async last(): Promise<number> {
    const rows = await this.database.read('last_anchor_event');
    return Number(rows[0]?.sequence ?? 0);
  }

  async after(sequence: number): Promise<AnchorEvent[]> {
    const rows = await this.database.read('anchor_events', { after: sequence, limit: maxEvents });
    return rows.map((row) => ({
      sequence: Number(row.sequence),
      kind: row.kind_name,
      number: Number(row.block_number),
      hash: row.block_hash,
      parentHash: row.parent,
      time: row.time,
    }));
  }

  /** Waits for an event after `sequence`. All waiting streams share one query. */
  async waitBeyond(sequence: number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !this.stopped.aborted) {
      this.#polling ??= this.last().finally(() => {
        this.#polling = undefined;
      });
      if ((await this.#polling) > sequence) return;
      await pause(pollEveryMs, signal);
    }
  }
}
