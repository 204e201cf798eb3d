import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { getLimitedNetwork } from '#runtime/budgets/network.ts';
import { Places } from '#runtime/budgets/places.ts';
import { ApiProblem } from '../../terms/errors.ts';
import type { QueryCaller } from '../query/query-turns.ts';

export interface RunningQuery {
  readonly caller: string;
  readonly startedAt: number;
  /** Unique SQL comment that identifies the query in the database. */
  readonly mark: string;
  readonly stop: AbortController;
  readonly release: () => void;
  state: 'waiting' | 'running' | 'ended';
}

/** Running and waiting queries. */
const mostAtOnce = { all: 32, perCaller: 4, perNetwork: 16 };

/** A query can be found for this time after its end, ms. */
const endedMs = 60_000;

export class RunningQueries {
  readonly #places = new Places(mostAtOnce.all, mostAtOnce.perCaller, mostAtOnce.perNetwork);
  readonly #running = new Map<string, RunningQuery>();
  readonly #ended = new LRUCache<string, RunningQuery>({ max: 1_000, ttl: endedMs });

  /** @throws ApiProblem bad_query if the id is in use, rate_limited if too many queries run or wait */
  begin(
    { caller, address }: QueryCaller,
    wanted: string | undefined,
  ): { readonly id: string; readonly query: RunningQuery } {
    const id = wanted ?? randomBytes(16).toString('hex');
    if (this.#running.has(id))
      throw new ApiProblem('bad_query', `a query with the id ${id} is running: use another id`);
    const release = this.#places.take(caller, getLimitedNetwork(address));
    if (typeof release !== 'function') {
      const who = release === 'own' ? `${mostAtOnce.perCaller} of your queries` : 'many queries';
      throw new ApiProblem('rate_limited', `${who} are running or waiting: try again later`);
    }
    const mark = `sql query ${randomBytes(16).toString('hex')}`;
    const query: RunningQuery = {
      caller,
      startedAt: Date.now(),
      mark,
      release,
      stop: new AbortController(),
      state: 'waiting',
    };
    this.#running.set(id, query);
    return { id, query };
  }

  end(id: string): void {
    const query = this.#running.get(id);
    if (!query) return;
    query.state = 'ended';
    query.release();
    this.#running.delete(id);
    this.#ended.set(id, query);
  }

  /** Finds a query that is running or ended less than a minute ago. @throws ApiProblem not_found */
  find(caller: string, id: string): RunningQuery {
    const query = this.#running.get(id) ?? this.#ended.get(id);
    if (query?.caller !== caller)
      throw new ApiProblem(
        'not_found',
        `you have no query with the id ${id} that runs or ended less than a minute ago`,
      );
    return query;
  }
}
