/** Queues expensive queries, so that they never use all cores. */
import PQueue from 'p-queue';
import { getLimitedNetwork } from '#runtime/budgets/network.ts';
import { Places } from '#runtime/budgets/places.ts';
import { GroupedQueue } from '#runtime/grouped-queue.ts';
import type { ChainState } from '#sql/snapshot.ts';
import { ApiProblem } from '../../terms/errors.ts';
import type { SnapshotDeps } from '../reader-deps.ts';

/** Queries up to this cost do not wait; they take about 100 ms. */
export const freeCost = 2_000_000;
const mostWaiting = 16;
const mostOfCaller = 4;
/** A board of charts estimates about twelve queries at once. */
const [mostEstimates, mostEstimatesOfCaller] = [128, 24];
const [mostReports, mostReportsOfCaller] = [32, 8];
const [mostFiltered, mostFilteredOfCaller] = [128, 32];
const retryAfterSeconds = 5;

const tooMany = (which: string) =>
  new ApiProblem('rate_limited', `${which} are running or waiting: retry in ${retryAfterSeconds} s`, {
    retryAfterSeconds,
  });

/** This cost counts as one request in the caller's rate limit. */
const costPerPoint = 1_000_000;

/** Limits apply to the caller, and to all callers of its network together. */
export interface QueryCaller {
  readonly caller: string;
  /** IP address; unset or empty: the service itself. */
  readonly address?: string | undefined;
}

export interface Reporter extends QueryCaller {
  readonly gone: AbortSignal;
}

/** Caller whose rate limit the query counts against. */
export interface Payer extends QueryCaller {
  /** @returns false if the caller has no requests left in this minute */
  readonly charge: (requests: number) => Promise<boolean>;
}

/** Payer of queries that many callers share. No caller pays. Together they have the limits of one caller. */
export const noCaller: Payer = { caller: 'charts', charge: async () => true };

/** @throws ApiProblem rate_limited */
export async function chargeCost({ charge }: Payer, cost: number): Promise<void> {
  await chargeRequests(charge, Math.floor(cost / costPerPoint), 'query');
}

/** @param what noun for the error @throws ApiProblem rate_limited */
export async function chargeRequests(charge: Payer['charge'], requests: number, what: string): Promise<void> {
  if (requests > 0 && !(await charge(requests)))
    throw new ApiProblem('rate_limited', `too many requests: this ${what} costs ${requests}`);
}

export class QueryTurns {
  readonly #queue = new PQueue({ concurrency: 1 });
  readonly #short = new PQueue({ concurrency: 1 });
  readonly #estimates = new PQueue({ concurrency: 2 });
  readonly #reports = new GroupedQueue(2, 1);
  readonly #filtered = new GroupedQueue(4, 2);
  readonly #places = new Places(mostWaiting, mostOfCaller, mostWaiting / 2);
  readonly #reporting = new Places(mostReports, mostReportsOfCaller, mostReports / 2);
  readonly #filtering = new Places(mostFiltered, mostFilteredOfCaller, mostFiltered / 2);
  readonly #estimating = new Places(mostEstimates, mostEstimatesOfCaller, mostEstimates / 2);

  /** Runs one short part of user SQL at a time. */
  async runShort<T>(work: () => Promise<T>): Promise<T> {
    return this.#short.add(work);
  }

  /**
   * Estimates the cost of queries, two at a time: the database reads some rows for it, for example those of subqueries.
   * @throws ApiProblem rate_limited if too many estimates wait (in total, per caller or per network)
   */
  async runEstimate<T>(from: QueryCaller, work: () => Promise<T>): Promise<T> {
    const place = take(this.#estimating, from, 'queries');
    return this.#estimates.add(work).finally(place);
  }

  /** Runs a cheap query at once, an expensive one after earlier ones. @throws as runExpensive() */
  async run<T>(from: QueryCaller, cost: number, query: () => Promise<T>): Promise<T> {
    return cost <= freeCost ? query() : this.runExpensive(from, query);
  }

  /**
   * Reads all rows of accounts or a token, perhaps millions: two reports at a time, one per caller. Does not wait for
   * queries.
   * @throws ApiProblem rate_limited if too many reports wait (in total, per caller or per network)
   */
  async runReport<T>(from: Reporter, read: () => Promise<T>): Promise<T> {
    const place = take(this.#reporting, from, 'reports');
    return this.#reports.add(from.caller, unlessGone(from, read)).finally(place);
  }

  /**
   * Reads a page by a filter without an index, which may scan millions of rows of an account: four pages at a time, two
   * per caller.
   * @throws ApiProblem rate_limited if too many such reads wait (in total, per caller or per network)
   */
  async runFiltered<T>(from: Reporter, read: () => Promise<T>): Promise<T> {
    const place = take(this.#filtering, from, 'filtered lists');
    return this.#filtered.add(from.caller, unlessGone(from, read)).finally(place);
  }

  /**
   * Runs one query at a time.
   * @throws ApiProblem rate_limited if too many expensive queries wait (in total, per caller or per network)
   */
  async runExpensive<T>(from: QueryCaller, query: () => Promise<T>): Promise<T> {
    const place = take(this.#places, from, 'expensive queries');
    return this.#queue.add(query).finally(place);
  }
}

const unlessGone =
  <T>({ gone }: Reporter, read: () => Promise<T>) =>
  async (): Promise<T> => {
    if (gone.aborted) throw new ApiProblem('store_unavailable', 'the client has left while its request waited');
    return read();
  };

/** @param what plural noun for an error @throws ApiProblem rate_limited */
function take(places: Places, { caller, address }: QueryCaller, what: string): () => void {
  const place = places.take(caller, getLimitedNetwork(address));
  if (typeof place === 'function') return place;
  const reached = {
    own: `${places.perHolder} of your ${what}`,
    network: `${places.perNetwork} ${what} of your network`,
    all: `many ${what}`,
  };
  throw tooMany(reached[place]);
}

export interface ReportDeps extends SnapshotDeps {
  readonly queryTurns: QueryTurns;
}

/** As QueryTurns.runReport. Takes the snapshot when the report starts. */
export function runReport<T>(
  { queryTurns, snapshots }: ReportDeps,
  from: Reporter,
  read: (state: ChainState) => Promise<T>,
  { isFinal = false } = {},
): Promise<T> {
  return queryTurns.runReport(from, () => snapshots.run(read, { isExpensive: true, isFinal }));
}
