/**
 * Runs due queries, stores their results, and sends each result to the query's webhook at least once, in order. Retries
 * a query later if data is missing or the database is busy.
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
import { requestCost, runSql, type SqlDeps } from './sql-queries.ts';

export interface ScheduleDeps extends SqlDeps {
  readonly savedQueries: SavedQueries;
  readonly schedules: Schedules;
  readonly outbound: OutboundNetwork;
  /** @returns false if the owner's rate limit is exceeded */
  readonly chargeOwner: (owner: string, cost: number) => Promise<boolean>;
}

/** At most a caller's limit of SQL queries, so that an owner's schedules wait instead of failing. */
const schedulesAtOnce = 4;
const schedulesPerNetwork = 2;
/** Delay before a failed run is repeated. */
const retryRunMs = 60_000;
/** Maximum results per pass: a slow receiver must not delay other schedules. */
const sentAtOnce = 5;
/** Maximum size of rows in a notification. For larger results, it contains only their path. */
const maxSentBytes = 65_536;

/** Runs schedules until the signal fires. Only one process may call this. @param now clock, Unix ms */
export async function runSchedules(
  deps: ScheduleDeps,
  signal: AbortSignal,
  { everyMs = 5_000, now = Date.now } = {},
): Promise<void> {
  const runner = new ScheduleRunner(deps, signal, now);
  const onListError = (error: unknown) =>
    deps.log.warn(
      { event: 'schedules_failed', error: String(error) },
      'Cannot read the schedules; scheduled queries wait',
    );
  await advanceEach(
    {
      list: () => deps.schedules.list(),
      getId: ({ queryId }) => queryId,
      hasWork: (schedule) => runner.hasWork(schedule),
      advance: (schedule) => runner.advance(schedule),
      getGroup: ({ owner, network }) => network || owner,
      ...{ onListError, atOnce: schedulesAtOnce, atOncePerGroup: schedulesPerNetwork, everyMs },
    },
    signal,
  );
}

class ScheduleRunner {
  readonly deps: ScheduleDeps;
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** Next attempt per failed query, Unix ms. */
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
      // the schedule may have been read minutes ago
      if (this.signal.aborted || !(await schedules.isCurrent(schedule))) return;
      const afterRun = this.#isDue(schedule) ? await this.#run(schedule) : schedule;
      const afterSend = afterRun && canSend(afterRun, this.now()) ? await this.#send(afterRun) : afterRun;
      if (afterSend && afterSend !== schedule && !this.signal.aborted) await schedules.saveProgress(afterSend);
    } catch (error) {
      const fields = { event: 'schedule_failed', query: schedule.queryId, error: String(error) };
      if (!this.signal.aborted) log.warn(fields, 'A scheduled query failed; retrying');
    }
  }

  #isDue({ queryId, nextMs }: Schedule): boolean {
    return nextMs <= this.now() && (this.#retryAt.get(queryId) ?? 0) <= this.now();
  }

  /** Returns the schedule after the run; undefined if the query was deleted. */
  async #run(schedule: Schedule): Promise<Schedule | undefined> {
    const { deps } = this;
    const { queryId, everyMinutes, attempts } = schedule;
    // after a stop of the service, only the last missed run is repeated
    const runMs = lastRun(everyMinutes, this.now());
    try {
      const [query] = await deps.savedQueries.versions(queryId);
      const result = await this.#runQuery(query, schedule, runMs);
      await deps.schedules.addResult(queryId, result);
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
      deps.log.warn(fields, 'A scheduled query could not run; retrying later');
      return { ...schedule, lastError: reason.slice(0, 200) };
    }
  }

  /** Errors of the query itself become its result. @throws other errors: run the query again later */
  async #runQuery(query: SavedQuery, { network }: Schedule, runMs: number): Promise<StoredResult> {
    const { number, sql, parameters, at, owner } = query;
    const run = { runMs, number };
    // a run costs as much as a request
    const charge = (cost: number) => this.deps.chargeOwner(owner, requestCost + cost);
    // the network's hash replaces the address, so schedules of a network share the limit of one network
    const turn = { caller: `schedule ${owner}`, address: network, gone: this.signal, charge };
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

/** Returns whether a result may be unsent and its receiver is neither paused nor waiting for a retry. */
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
