/** Nonces of signed messages are valid once, for one purpose, for 10 minutes. @source EIP-4361 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import PQueue from 'p-queue';
import type { ServiceKey } from '#runtime/service-key.ts';
import type { Database } from '#sql/client.ts';
import { RowWriter } from '#sql/row-writer.ts';
import { ApiProblem } from '../../terms/errors.ts';

export const nonceSeconds = 600;
const maxWaiting = 200;
const pattern = /^([0-9a-f]{8})([0-9a-f]{16})([0-9a-f]{32})$/;

export class Nonces {
  readonly #key: Buffer;
  readonly #queue = new PQueue({ concurrency: 1 });
  readonly #inProgress = new Set<string>();
  /** Ids of nonce uses, cached until `work` succeeds, so that a retry is not a second use. */
  readonly #unfinished = new LRUCache<string, string>({ max: 10_000, ttl: nonceSeconds * 1000 });
  readonly database: Database;

  constructor(database: Database, serviceKey: ServiceKey) {
    this.database = database;
    this.#key = serviceKey.derive('sign-in nonces');
  }

  issue(purpose: string): string {
    const time = Math.floor(Date.now() / 1000)
      .toString(16)
      .padStart(8, '0');
    const random = randomBytes(8).toString('hex');
    return time + random + this.#seal(purpose, time, random);
  }

  isIssued(nonce: string, purpose: string): boolean {
    const [, time, random, seal] = pattern.exec(nonce) ?? [];
    if (!time || !random || !seal) return false;
    const age = Date.now() / 1000 - Number.parseInt(time, 16);
    const isOurs = timingSafeEqual(Buffer.from(seal), Buffer.from(this.#seal(purpose, time, random)));
    return isOurs && age >= -5 && age <= nonceSeconds;
  }

  /**
   * Runs `work` if the nonce is unused. Stores the use, then reads all uses: of two concurrent uses, at least one sees
   * the other and is rejected.
   * @returns undefined if the nonce was used or is in use
   * @throws ApiProblem rate_limited if too many calls wait
   */
  async spend<T>(nonce: string, work: () => Promise<T>): Promise<{ readonly value: T } | undefined> {
    if (this.#queue.size > maxWaiting) throw new ApiProblem('rate_limited', 'too many concurrent sign-ins; try again');
    if (this.#inProgress.has(nonce)) return undefined;
    this.#inProgress.add(nonce);
    try {
      if (!(await this.#queue.add(() => this.#spendNow(nonce)))) return undefined;
      const value = await work();
      this.#unfinished.delete(nonce);
      return { value };
    } finally {
      this.#inProgress.delete(nonce);
    }
  }

  async #spendNow(nonce: string): Promise<boolean> {
    const use = this.#unfinished.get(nonce) ?? randomBytes(16).toString('hex');
    this.#unfinished.set(nonce, use);
    const w = new RowWriter(256);
    w.text(nonce);
    w.text(use);
    w.uint32(Math.floor(Date.now() / 1000));
    await this.database.insertRowBinary('sign_in_uses', w.view());
    const uses = await this.database.read('sign_in_uses', { nonce });
    return uses.every((other) => other.use === use);
  }

  #seal(purpose: string, time: string, random: string): string {
    return createHmac('sha256', this.#key).update(`${purpose} ${time} ${random}`).digest('hex').slice(0, 32);
  }
}
