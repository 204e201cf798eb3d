/** Runs one expensive query at a time, so that queries never use all cores. */
import PQueue from 'p-queue';
import { Places } from '#runtime/budgets/places.ts';
import { ApiProblem } from '../../terms/errors.ts';

/** Maximum cost of a query that runs without waiting: about 100 ms. */
export const freeCost = 2_000_000;
const mostWaiting = 16;
const mostOfCaller = 4;
const retryAfterSeconds = 5;
/** Query cost that counts as one request in the caller's rate limit. */
const costPerPoint = 1_000_000;

/** Caller of a query, who pays for it. */
export interface Payer {
  readonly caller: string;
  /** Counts requests of the caller. @returns false if it has no more in this minute */
  readonly charge: (requests: number) => Promise<boolean>;
}

/** Charges the cost of a query. @throws ApiProblem rate_limited */
export async function chargeCost({ charge }: Payer, cost: number): Promise<void> {
  const requests = Math.floor(cost / costPerPoint);
  if (requests > 0 && !(await charge(requests)))
    throw new ApiProblem('rate_limited', `too many requests: this query costs ${requests}`);
}

export class QueryTurns {
  readonly #queue = new PQueue({ concurrency: 1 });
  readonly #short = new PQueue({ concurrency: 1 });
  readonly #estimates = new PQueue({ concurrency: 2 });
  readonly #places = new Places(mostWaiting, mostOfCaller);

  /** Runs short parts of user SQL, one at a time. */
  async runShort<T>(work: () => Promise<T>): Promise<T> {
    return this.#short.add(work);
  }

  /** Estimates a cost, two at a time: the database reads some rows for it, for example those of a subquery. */
  async runEstimate<T>(work: () => Promise<T>): Promise<T> {
    return this.#estimates.add(work);
  }

  /**
   * Runs a query. An expensive query waits for earlier ones.
   * @throws ApiProblem rate_limited if too many expensive queries wait (in total or of the caller)
   */
  async run<T>(caller: string, cost: number, query: () => Promise<T>): Promise<T> {
    return cost <= freeCost ? query() : this.runExpensive(caller, query);
  }

  /** Runs a query of any cost after waiting queries. @throws like run() */
  async runExpensive<T>(caller: string, query: () => Promise<T>): Promise<T> {
    const place = this.#places.take(caller);
    if (typeof place !== 'function') {
      const who = place === 'own' ? `${mostOfCaller} of your expensive queries` : 'many expensive queries';
      throw new ApiProblem('rate_limited', `${who} are running or waiting: retry in ${retryAfterSeconds} s`, {
        retryAfterSeconds,
      });
    }
    return this.#queue.add(query).finally(place);
  }
}
