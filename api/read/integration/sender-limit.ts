/** So many integration requests an hour from one network, counted in the database: whichever process takes them. */
import { randomBytes } from 'node:crypto';
import { addressOf } from '#runtime/budgets/network.ts';
import { firstOf } from '#runtime/lists.ts';
import type { Database } from '#sql/client.ts';
import { RowWriter } from '#sql/row-writer.ts';
import { ApiProblem } from '../../terms/errors.ts';

const windowMs = 3_600_000;

export class SenderLimit {
  /** By network: one after the other within this process. */
  readonly #underWay = new Map<string, Promise<unknown>>();
  readonly database: Database;
  readonly perHour: number;
  readonly now: () => number;

  constructor(database: Database, perHour: number, now: () => number = Date.now) {
    this.database = database;
    this.perHour = perHour;
    this.now = now;
  }

  /**
   * Counts a request. Processes that take the last ones of a network at the same moment may refuse one too many, never one
   * too few: each notes its own before it counts all.
   * @param address IPv6 counts by its /64 @throws ApiProblem rate_limited; a refusal does not count
   */
  async take(address: string): Promise<void> {
    const network = addressOf(address).slice(0, 64);
    const before = this.#underWay.get(network) ?? Promise.resolve();
    const mine = before.catch(() => {}).then(() => this.#takeNext(network));
    this.#underWay.set(network, mine);
    try {
      await mine;
    } finally {
      if (this.#underWay.get(network) === mine) this.#underWay.delete(network);
    }
  }

  async #takeNext(network: string): Promise<void> {
    const earlier = await this.#read(network);
    if (earlier.length >= this.perHour) this.#refuse(firstOf(earlier));
    const w = new RowWriter(256);
    w.text(network);
    w.uint64(this.now());
    w.text(randomBytes(8).toString('hex'));
    await this.database.insertRowBinary('integration_request_senders', w.view());
    const all = await this.#read(network);
    if (all.length > this.perHour) this.#refuse(firstOf(all));
  }

  /** Times of the requests of the last hour, Unix milliseconds, oldest first; no more than are needed to refuse. */
  async #read(network: string): Promise<number[]> {
    const rows = await this.database.read('integration_request_senders', {
      network,
      since_ms: this.now() - windowMs,
      limit: this.perHour + 1,
    });
    return rows.map(({ received_ms }) => Number(received_ms));
  }

  #refuse(oldestMs: number): never {
    const retryAfterSeconds = Math.max(1, Math.ceil((oldestMs + windowMs - this.now()) / 1000));
    const detail = `at most ${this.perHour} integration requests an hour from one address`;
    throw new ApiProblem('rate_limited', detail, { retryAfterSeconds });
  }
}
