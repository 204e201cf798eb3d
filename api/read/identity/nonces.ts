/**
 * Nonces of messages that wallets sign: issued by this service, for one purpose, for minutes, and used once. What makes one
 * valid is in itself, so issuing writes nothing; using it does. @source EIP-4361
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import PQueue from 'p-queue';
import type { ServiceKey } from '#runtime/service-key.ts';
import type { Database } from '#sql/client.ts';
import { RowWriter } from '#sql/row-writer.ts';
import { ApiProblem } from '../../terms/errors.ts';

/** How long a nonce can be used, seconds. */
export const nonceSeconds = 600;
/** Uses that wait to be written. */
const mostWaiting = 200;
const pattern = /^([0-9a-f]{8})([0-9a-f]{16})([0-9a-f]{32})$/;

export class Nonces {
  readonly #key: Buffer;
  /** One after the other in this process, so that of many at once the first passes. */
  readonly #spending = new PQueue({ concurrency: 1 });
  /** Nonces that are being spent now. */
  readonly #working = new Set<string>();
  /** How nonces were being spent when something failed. */
  readonly #unfinished = new LRUCache<string, string>({ max: 10_000, ttl: nonceSeconds * 1000 });
  readonly database: Database;

  constructor(database: Database, serviceKey: ServiceKey) {
    this.database = database;

    this.#key = serviceKey.derive('sign-in nonces');
  }

  /** @param purpose what the message is to prove; a nonce of another purpose proves nothing */
  issue(purpose: string): string {
    const time = Math.floor(Date.now() / 1000)
      .toString(16)
      .padStart(8, '0');
    const random = randomBytes(8).toString('hex');
    return time + random + this.#seal(purpose, time, random);
  }

  /** True of a nonce that was issued here for this purpose in the last minutes. */
  isIssued(nonce: string, purpose: string): boolean {
    const [, time, random, seal] = pattern.exec(nonce) ?? [];
    if (!time || !random || !seal) return false;
    const age = Date.now() / 1000 - Number.parseInt(time, 16);
    const isOurs = timingSafeEqual(Buffer.from(seal), Buffer.from(this.#seal(purpose, time, random)));
    return isOurs && age >= -5 && age <= nonceSeconds;
  }

  /**
   * Spends a nonce with the success of some work. Who uses it writes that down and then looks who else did: of two at once,
   * in whatever processes, at least one sees the other, so that never both pass. Where the database or the work fails, the
   * nonce can be used again, in this process.
   * @returns undefined where it was spent before, or is being spent by somebody else
   */
  async spend<T>(nonce: string, work: () => Promise<T>): Promise<{ readonly value: T } | undefined> {
    if (this.#spending.size > mostWaiting) throw new ApiProblem('rate_limited', 'too many sign in at once, try again');
    if (this.#working.has(nonce)) return undefined;
    this.#working.add(nonce);
    try {
      if (!(await this.#spending.add(() => this.#spendNow(nonce)))) return undefined;
      const value = await work();
      this.#unfinished.delete(nonce);
      return { value };
    } finally {
      this.#working.delete(nonce);
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
