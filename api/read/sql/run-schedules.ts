/**
 * Runs scheduled queries when they are due, stores their results, and sends these to their receivers in order, each at
 * least once. A query that can't run because data is missing or the database is busy runs later.
 */
import { isoTimeFromMs } from '#chain/codec/iso-time.ts';
import type { OutboundNetwork } from '#runtime/outbound/outbound.ts';
import { pause } from '#runtime/shutdown.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { deliver, failedReceiver, healthyReceiver } from '../account/webhook.ts';
import type { SavedQueries, SavedQuery } from './saved-queries.ts';
import {
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
}

/** Pause before a query that could not run is tried again, ms. */
const retryRunMs = 60_000;
/** Maximum number of results that wait for a receiver; older ones are not sent. */
const maxUnsent = 100;
/** Rows of larger results are left out of notifications, which name the URL of the result. */
const maxSentBytes = 65_536;

/** Runs schedules until the signal fires. Only one process may call it. @param everyMs pause between two looks */
export async function runSchedules(deps: ScheduleDeps, signal: AbortSignal, everyMs = 5_000): Promise<void> {
  while (!signal.aborted) {
    try {
      for (const schedule of await deps.schedules.list()) {
        if (signal.aborted) return;
        await advance(deps, schedule, signal).catch((error: unknown) => {
          const fields = { event: 'schedule_failed', query: schedule.queryId, error: String(error) };
          if (!signal.aborted) deps.log.warn(fields, 'A scheduled query failed: it is tried again');
        });
      }
    } catch (error) {
      if (!signal.aborted)
        deps.log.warn({ event: 'schedules_failed', error: String(error) }, 'Scheduled queries wait: see the error');
    }
    await pause(everyMs, signal);
  }
}

async function advance(deps: ScheduleDeps, schedule: Schedule, signal: AbortSignal): Promise<void> {
  const isDue = schedule.nextMs <= Date.now();
  const afterRun = isDue ? await runOnce(deps, schedule, signal) : schedule;
  if (signal.aborted) return;
  const canSend = afterRun.url !== '' && !afterRun.isPaused && afterRun.retryMs <= Date.now();
  const afterSend = canSend ? await sendResults(deps, afterRun, signal) : afterRun;
  if (afterSend !== schedule && (await isCurrent(deps, schedule))) await deps.schedules.save(afterSend);
}

/** False if the owner changed the schedule meanwhile. */
async function isCurrent({ schedules }: ScheduleDeps, { queryId, version }: Schedule): Promise<boolean> {
  const [stored] = await schedules.list({ queryId });
  return stored?.version === version;
}

async function runOnce(deps: ScheduleDeps, schedule: Schedule, signal: AbortSignal): Promise<Schedule> {
  const [query] = await deps.savedQueries.versions(schedule.queryId);
  try {
    const result = await resultOf(deps, schedule, query, signal);
    await deps.schedules.addResult(query.id, result);
    // runs that were missed while the service was stopped are not repeated
    const nextMs = nextRun(schedule.everyMinutes, Date.now());
    return { ...schedule, nextMs, lastError: result.error.slice(0, 200) };
  } catch (error) {
    if (signal.aborted) return schedule;
    const reason = error instanceof Error ? error.message : String(error);
    deps.log.warn(
      { event: 'schedule_waits', query: query.id, error: reason },
      'A scheduled query is tried again later',
    );
    return { ...schedule, nextMs: Date.now() + retryRunMs, lastError: reason.slice(0, 200) };
  }
}

/** Errors of the query itself are its result. @throws other errors, after which the query must run again */
async function resultOf(
  deps: ScheduleDeps,
  schedule: Schedule,
  query: SavedQuery,
  signal: AbortSignal,
): Promise<StoredResult> {
  const run = { runMs: schedule.nextMs, number: query.number };
  const { sql, parameters, at, owner } = query;
  const turn = { caller: `schedule ${owner}`, gone: signal, charge: () => Promise.resolve(true) };
  try {
    const { end, columns, rows } = await runSql(deps, { id: undefined, sql, parameters, at }, turn);
    const bytes = JSON.stringify(rows).length;
    if (rows.length > maxStoredRows || bytes > maxStoredBytes)
      return failed(
        run,
        `the result has ${rows.length} rows and ${bytes} bytes; at most ${maxStoredRows} rows and ${maxStoredBytes} bytes are stored`,
      );
    return { ...run, blockNumber: end.number, blockHash: end.hash, columns, rows, rowCount: rows.length, error: '' };
  } catch (error) {
    if (error instanceof ApiProblem && error.code === 'bad_query' && !signal.aborted) return failed(run, error.message);
    throw error;
  }
}

const failed = (run: Pick<ResultInfo, 'runMs' | 'number'>, error: string): StoredResult => ({
  ...run,
  ...{ blockNumber: 0, blockHash: '', columns: [], rows: [], rowCount: 0, error: error.slice(0, 2_000) },
});

async function sendResults(deps: ScheduleDeps, schedule: Schedule, signal: AbortSignal): Promise<Schedule> {
  const { queryId, url } = schedule;
  const unsent = await deps.schedules.results(queryId, maxUnsent, schedule.sentMs);
  let state = schedule;
  for (const { runMs } of unsent.reverse()) {
    const result = await deps.schedules.result(queryId, runMs);
    if (!result || signal.aborted) continue;
    try {
      const event = { id: String(runMs), name: 'sql.result', data: notification(queryId, result) };
      await deliver({ url, source: { query: queryId }, secret: deps.schedules.secret(queryId) }, event, deps.outbound);
      state = { ...state, ...healthyReceiver, sentMs: runMs, lastError: result.error.slice(0, 200) };
    } catch (error) {
      return failedReceiver(state, error instanceof Error ? error.message : String(error));
    }
  }
  return state;
}

function notification(queryId: string, result: StoredResult) {
  const { runMs, number, blockNumber, blockHash, rowCount, columns, rows, error } = result;
  const isSmall = JSON.stringify(rows).length <= maxSentBytes;
  return {
    runAt: isoTimeFromMs(runMs),
    version: number,
    asOf: error === '' ? { block: blockNumber, hash: blockHash } : null,
    error: error === '' ? null : error,
    rowCount,
    columns,
    rows: isSmall ? rows : null,
    path: `/api/v1/sql/saved/${queryId}/results/${runMs}`,
  };
}
