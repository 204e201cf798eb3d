import { LRUCache } from 'lru-cache';
import { getLimitedNetwork } from '#runtime/budgets/network.ts';
import { ApiProblem } from '../../terms/errors.ts';
import type { QueryCaller } from '../query/query-turns.ts';

const hourMs = 3_600_000;
/** Refusal of a caller after its first stuck query; doubles with each further one of a day, ms. */
const [firstRefusalMs, maxRefusalMs] = [600_000, 24 * hourMs];
/** Stuck queries within an hour after which no caller may query: a stranger has many addresses and keys. */
const mostPerHour = 4;

/**
 * Refuses queries of callers whose earlier queries ran on after their time limit, because the embedded engine restarts to
 * end such a query. Forgets them when the service stops.
 */
export class StuckQueries {
  readonly #refused = new LRUCache<string, { readonly count: number; readonly untilMs: number }>({
    max: 10_000,
    ttl: 24 * hourMs,
  });
  #recentMs: readonly number[] = [];
  readonly now: () => number;

  constructor(now = Date.now) {
    this.now = now;
  }

  /** Counts a query that ran on after its time limit. */
  add(from: QueryCaller): void {
    const now = this.now();
    this.#recentMs = [...this.#recentMs, now].slice(-mostPerHour);
    for (const key of listKeys(from)) {
      const count = (this.#refused.get(key)?.count ?? 0) + 1;
      const ms = Math.min(firstRefusalMs * 2 ** (count - 1), maxRefusalMs);
      this.#refused.set(key, { count, untilMs: now + ms });
    }
  }

  /** @throws ApiProblem rate_limited if the caller, or any caller, may not query now */
  assertAccepted(from: QueryCaller): void {
    const own = listKeys(from).map((key) => this.#refused.get(key)?.untilMs ?? 0);
    this.#refuseUntil(Math.max(...own), 'your SQL ran on after its time limit');
    const [oldestMs] = this.#recentMs;
    if (oldestMs !== undefined && this.#recentMs.length === mostPerHour)
      this.#refuseUntil(oldestMs + hourMs, `${mostPerHour} queries within an hour ran on after their time limit`);
  }

  #refuseUntil(untilMs: number, why: string): void {
    const retryAfterSeconds = Math.ceil((untilMs - this.now()) / 1_000);
    if (retryAfterSeconds > 0)
      throw new ApiProblem(
        'rate_limited',
        `${why}, which only a restart of the database ends: retry in ${retryAfterSeconds} s`,
        { retryAfterSeconds },
      );
  }
}

/** Returns the caller and its network; a scheduled query has no network. */
function listKeys({ caller, address }: QueryCaller): string[] {
  const network = getLimitedNetwork(address);
  return [`caller ${caller}`, ...(network === undefined ? [] : [`network ${network}`])];
}
