/** Limits integration requests per client network and hour, across all processes. */
import { randomBytes } from 'node:crypto';
import { getAddressPrefix } from '#runtime/budgets/network.ts';
import { getFirst } from '#runtime/lists.ts';
import type { Database } from '#sql/client.ts';
import { RowWriter } from '#sql/row-writer.ts';
import { ApiProblem } from '../../terms/errors.ts';

const windowMs = 3_600_000;

export class SenderLimit {
  readonly #pending = new Map<string, Promise<unknown>>();
  readonly database: Database;
  readonly perHour: number;
  readonly now: () => number;

  constructor(database: Database, perHour: number, now: () => number = Date.now) {
    this.database = database;
    this.perHour = perHour;
    this.now = now;
  }

  /**
   * Checks the limit before and after it counts a request, so that concurrent processes never exceed it.
   * @param address an IPv6 address counts by its /64 network
   * @throws ApiProblem rate_limited
   */
  async take(address: string): Promise<void> {
    const network = getAddressPrefix(address).slice(0, 64);
    const before = this.#pending.get(network) ?? Promise.resolve();
    const mine = before.catch(() => {}).then(() => this.#takeNext(network));
    this.#pending.set(network, mine);
    try {
      await mine;
    } finally {
      if (this.#pending.get(network) === mine) this.#pending.delete(network);
    }
  }

  async #takeNext(network: string): Promise<void> {
    const earlier = await this.#read(network);
    if (earlier.length >= this.perHour) this.#reject(getFirst(earlier));
    const w = new RowWriter(256);
    w.text(network);
    w.uint64(this.now());
    w.text(randomBytes(8).toString('hex'));
    await this.database.insertRowBinary('integration_request_senders', w.view());
    const all = await this.#read(network);
    if (all.length > this.perHour) this.#reject(getFirst(all));
  }

  async #read(network: string): Promise<number[]> {
    const rows = await this.database.read('integration_request_senders', {
      network,
      since_ms: this.now() - windowMs,
      limit: this.perHour + 1,
    });
    return rows.map(({ received_ms }) => Number(received_ms));
  }

  #reject(oldestMs: number): never {
    const retryAfterSeconds = Math.max(1, Math.ceil((oldestMs + windowMs - this.now()) / 1000));
    const detail = `at most ${this.perHour} integration requests per hour are accepted from one address`;
    throw new ApiProblem('rate_limited', detail, { retryAfterSeconds });
  }
}
