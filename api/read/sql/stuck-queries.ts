import { LRUCache } from 'lru-cache';
import { getLimitedNetwork } from '#runtime/budgets/network.ts';
import { stuckCode, type UserDatabase, UserSqlError } from '#sql/user-database.ts';
import { ApiProblem } from '../../terms/errors.ts';
import type { QueryCaller } from '../query/query-turns.ts';

const hourMs = 3_600_000;
/** Refusal after a caller's first stuck query, ms. Doubles with each further stuck query within a day. */
const [firstRefusalMs, maxRefusalMs] = [600_000, 24 * hourMs];
/** After this many stuck queries within an hour, no caller may query: one attacker can have many addresses and keys. */
const mostPerHour = 4;

/**
 * Refuses queries of callers whose earlier queries exceeded their time limit: the embedded engine must restart to end
 * such queries. In memory only.
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

  /** Counts a query that exceeded its time limit. */
  add(from: QueryCaller): void {
    const now = this.now();
    this.#recentMs = [...this.#recentMs, now].slice(-mostPerHour);
    for (const key of listKeys(from)) {
      const count = (this.#refused.get(key)?.count ?? 0) + 1;
      const ms = Math.min(firstRefusalMs * 2 ** (count - 1), maxRefusalMs);
      this.#refused.set(key, { count, untilMs: now + ms });
    }
  }

  /** @throws ApiProblem rate_limited if this caller, or every caller, is refused at present */
  assertAccepted(from: QueryCaller): void {
    const own = listKeys(from).map((key) => this.#refused.get(key)?.untilMs ?? 0);
    this.#refuseUntil(Math.max(...own), 'an SQL query of you or your network did not stop at its time limit');
    const [oldestMs] = this.#recentMs;
    if (oldestMs !== undefined && this.#recentMs.length === mostPerHour)
      this.#refuseUntil(
        oldestMs + hourMs,
        `SQL is paused, because ${mostPerHour} queries within an hour did not stop at their time limit`,
      );
  }

  /**
   * Returns the database for one query. After a statement that forced an engine restart, it runs no other statement.
   */
  guard(database: UserDatabase, from: QueryCaller): Pick<UserDatabase, 'stream'> {
    let stuck: UserSqlError | undefined;
    return {
      stream: async (call) => {
        if (stuck) throw stuck;
        this.assertAccepted(from); // another query of the caller may have become stuck meanwhile
        return database.stream(call).catch((error: unknown) => {
          if (error instanceof UserSqlError && error.code === stuckCode) {
            stuck = error;
            this.add(from);
          }
          throw error;
        });
      },
    };
  }

  #refuseUntil(untilMs: number, why: string): void {
    const retryAfterSeconds = Math.ceil((untilMs - this.now()) / 1_000);
    if (retryAfterSeconds > 0)
      throw new ApiProblem('rate_limited', `${why}: retry in ${retryAfterSeconds} s`, { retryAfterSeconds });
  }
}

function listKeys({ caller, address }: QueryCaller): string[] {
  const network = getLimitedNetwork(address);
  return [`caller ${caller}`, ...(network === undefined ? [] : [`network ${network}`])];
}
