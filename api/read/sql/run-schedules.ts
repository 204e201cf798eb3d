/**
 * Runs scheduled queries when they are due, stores their results, and sends these to their receivers in order, each at
 * least once. A query that can't run because data is missing or the database is busy runs later.
 */
import { advanceEach } from '#runtime/advance-each.ts';
import type { OutboundNetwork } from '#runtime/outbound/outbound.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { deliver, failedReceiver, healthyReceiver } from '../account/webhook.ts';
import type { SavedQueries, SavedQuery } from './saved-queries.ts';
import {
  describeRun,
  keptResults,
  lastRun,
  maxStoredBytes,
  maxStoredRows,
  nextRun,
  type ResultInfo,
  type Schedule,
  type Schedules,
  type StoredResult,
} from './schedules.ts';
import { runSql, type SqlDeps } from './sql-queries.ts';

export interface ScheduleDeps extends SqlDeps {
  readonly savedQueries: SavedQueries;
  readonly schedules: Schedules;
  readonly outbound: OutboundNetwork;
  /** Adds to the owner's rate limit. @returns false if it is exceeded */
  readonly chargeOwner: (owner: string, cost: number) => Promise<boolean>;
}

const schedulesAtOnce = 8;
/** Pause before a query that could not run is tried again, ms. */
const retryRunMs = 60_000;
/** Number of results that one pass sends to a receiver, so that a slow receiver does not delay other schedules. */
const sentAtOnce = 5;
/** Rows of larger results are left out of notifications, which name the path of the result. */
const maxSentBytes = 65_536;

/** Runs schedules until the signal fires. Only one process may call it. @param now the clock, Unix ms */
export async function runSchedules(
  deps: ScheduleDeps,
  signal: AbortSignal,
  { everyMs = 5_000, now = Date.now } = {},
): Promise<void> {
  const runner = new ScheduleRunner(deps, signal, now);
  const onListError = (error: unknown) =>
    deps.log.warn({ event: 'schedules_failed', error: String(error) }, 'Scheduled queries wait: see the error');
  await advanceEach(
    {
      list: () => deps.schedules.list(),
      idOf: ({ queryId }) => queryId,
      hasWork: (schedule) => runner.hasWork(schedule),
      advance: (schedule) => runner.advance(schedule),
      ...{ onListError, atOnce: schedulesAtOnce, everyMs },
    },
    signal,
  );
}

class ScheduleRunner {
  readonly deps: ScheduleDeps;
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** Earliest time at which a query that could not run is tried again, Unix ms, by query. */
  readonly #retryAt = new Map<string, number>();

  constructor(deps: ScheduleDeps, signal: AbortSignal, now: () => number) {
    this.deps = deps;
    this.signal = signal;
    this.now = now;
  }

  hasWork(schedule: Schedule): boolean {
    return this.#isDue(schedule) || canSend(schedule, this.now());
  }

  async advance(schedule: Schedule): Promise<void> {
    const { schedules, log } = this.deps;
    try {
      // the list that the schedule comes from can be some minutes old
      if (this.signal.aborted || !(await schedules.isCurrent(schedule))) return;
      const afterRun = this.#isDue(schedule) ? await this.#run(schedule) : schedule;
      const afterSend = afterRun && canSend(afterRun, this.now()) ? await this.#send(afterRun) : afterRun;
      if (afterSend && afterSend !== schedule && !this.signal.aborted) await schedules.saveProgress(afterSend);
    } catch (error) {
      const fields = { event: 'schedule_failed', query: schedule.queryId, error: String(error) };
      if (!this.signal.aborted) log.warn(fields, 'A scheduled query failed: it is tried again');
    }
  }

  #isDue({ queryId, nextMs }: Schedule): boolean {
    return nextMs <= this.now() && (this.#retryAt.get(queryId) ?? 0) <= this.now();
  }

  /** Returns the schedule after the run; undefined if its query does not exist any more. */
  async #run(schedule: Schedule): Promise<Schedule | undefined> {
    const { deps } = this;
    const { queryId, everyMinutes, attempts } = schedule;
    // runs that were missed while the service was stopped are not repeated, except the last one
    const runMs = lastRun(everyMinutes, this.now());
    try {
      const [query] = await deps.savedQueries.versions(queryId);
      const result = await this.#resultOf(query, runMs);
      await deps.schedules.addResult(queryId, (runMs / (everyMinutes * 60_000)) % keptResults, result);
      this.#retryAt.delete(queryId);
      const lastError = attempts > 0 ? schedule.lastError : result.error.slice(0, 200);
      return { ...schedule, nextMs: nextRun(everyMinutes, runMs), lastError };
    } catch (error) {
      if (error instanceof ApiProblem && error.code === 'not_found') {
        await deps.schedules.remove(schedule);
        return undefined;
      }
      if (this.signal.aborted) return schedule;
      this.#retryAt.set(queryId, this.now() + retryRunMs);
      const reason = error instanceof Error ? error.message : String(error);
      const fields = { event: 'schedule_waits', query: queryId, error: reason };
      deps.log.warn(fields, 'A scheduled query is tried again later');
      return { ...schedule, lastError: reason.slice(0, 200) };
    }
  }

  /** Errors of the query itself are its result. @throws other errors, after which the query must run again */
  async #resultOf(query: SavedQuery, runMs: number): Promise<StoredResult> {
    const { number, sql, parameters, at, owner } = query;
    const run = { runMs, number };
    // a run costs its owner what a request with the same query costs
    const charge = (cost: number) => this.deps.chargeOwner(owner, 1 + cost);
    const turn = { caller: `schedule ${owner}`, gone: this.signal, charge };
    try {
      const { end, columns, rows } = await runSql(this.deps, { id: undefined, sql, parameters, at }, turn);
      const bytes = Buffer.byteLength(JSON.stringify(rows));
      if (rows.length > maxStoredRows || bytes > maxStoredBytes) {
        const limit = `at most ${maxStoredRows} rows and ${maxStoredBytes} bytes are stored`;
        return failed(run, `the result has ${rows.length} rows and ${bytes} bytes; ${limit}`);
      }
      return { ...run, blockNumber: end.number, blockHash: end.hash, columns, rows, rowCount: rows.length, error: '' };
    } catch (error) {
      const isOfQuery = error instanceof ApiProblem && error.code === 'bad_query';
      if (isOfQuery && !this.signal.aborted) return failed(run, error.message);
      throw error;
    }
  }

  async #send(schedule: Schedule): Promise<Schedule> {
    const { schedules, outbound } = this.deps;
    const { queryId, url } = schedule;
    const unsent = await schedules.results(queryId, keptResults, schedule.sentMs);
    let state = schedule;
    for (const { runMs } of unsent.reverse().slice(0, sentAtOnce)) {
      const result = await schedules.result(queryId, runMs);
      if (!result || this.signal.aborted) continue;
      if (!(await schedules.isCurrent(schedule))) return state;
      try {
        const event = { id: String(runMs), name: 'sql.result', data: notification(queryId, result) };
        await deliver({ url, source: { query: queryId }, secret: schedules.secret(queryId) }, event, outbound);
        state = { ...state, ...healthyReceiver, sentMs: runMs, lastError: result.error.slice(0, 200) };
      } catch (error) {
        return failedReceiver(state, error instanceof Error ? error.message : String(error), this.now());
      }
    }
    return state;
  }
}

/** True if a run after the last sent one may have a result, and the receiver may be asked. */
function canSend({ url, isPaused, retryMs, nextMs, everyMinutes, sentMs }: Schedule, nowMs: number): boolean {
  const lastMs = nextMs - everyMinutes * 60_000;
  return url !== '' && !isPaused && retryMs <= nowMs && lastMs > sentMs;
}

const failed = (run: Pick<ResultInfo, 'runMs' | 'number'>, error: string): StoredResult => ({
  ...run,
  ...{ blockNumber: 0, blockHash: '', columns: [], rows: [], rowCount: 0, error: error.slice(0, 2_000) },
});

function notification(queryId: string, result: StoredResult) {
  const { columns, rows } = result;
  const isSmall = Buffer.byteLength(JSON.stringify(rows)) <= maxSentBytes;
  return { ...describeRun(queryId, result), columns, rows: isSmall ? rows : null };
}
