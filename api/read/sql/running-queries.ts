import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { ApiProblem } from '../../terms/errors.ts';

export interface RunningQuery {
  readonly caller: string;
  readonly startedAt: number;
  /** Comment in the text of the query, which no other query contains. */
  readonly mark: string;
  readonly stop: AbortController;
  state: 'waiting' | 'running' | 'ended';
}

/** Time for which an ended query is known, ms. */
const endedMs = 60_000;

/** Queries of this process, by their id. */
export class RunningQueries {
  readonly #running = new Map<string, RunningQuery>();
  readonly #ended = new LRUCache<string, RunningQuery>({ max: 1_000, ttl: endedMs });

  /** @throws ApiProblem bad_query if a query with this id runs */
  begin(caller: string, wanted: string | undefined): { readonly id: string; readonly query: RunningQuery } {
    const id = wanted ?? randomBytes(16).toString('hex');
    if (this.#running.has(id))
      throw new ApiProblem('bad_query', `a query with the id ${id} is running: use another id`);
    const mark = `sql query ${randomBytes(16).toString('hex')}`;
    const query: RunningQuery = { caller, startedAt: Date.now(), mark, stop: new AbortController(), state: 'waiting' };
    this.#running.set(id, query);
    return { id, query };
  }

  end(id: string): void {
    const query = this.#running.get(id);
    if (!query) return;
    query.state = 'ended';
    this.#running.delete(id);
    this.#ended.set(id, query);
  }

  /** Returns a query of the caller that runs, or ended less than a minute ago. @throws ApiProblem not_found */
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
