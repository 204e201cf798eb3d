/** Runs SQL of clients, each query on one snapshot of the chain. */
import { Readable } from 'node:stream';
import { setTimeout as after } from 'node:timers/promises';
import type { Log } from '#runtime/log.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import { type UserDatabase, UserSqlError } from '#sql/user-database.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { assertRowsKept, holdLast } from '../chain/hold-last.ts';
import type { SourceReadDeps } from '../contracts/read-source.ts';
import { freeCost, type QueryCaller, type QueryTurns } from '../query/query-turns.ts';
import type { SnapshotDeps, StoreDeps } from '../reader-deps.ts';
import { createDecodedViews } from './decoded-events.ts';
import { cheapSeconds, PreparedQuery, type SqlEstimate, type SqlSettings } from './prepared-query.ts';
import type { RunningQueries } from './running-queries.ts';
import { type Column, showBinary } from './shown-columns.ts';
import { sqlProblem } from './sql-error.ts';
import type { StuckQueries } from './stuck-queries.ts';
import { readUserStatement } from './user-statement.ts';
import { readViewSnapshot, type SqlEnd, stateOfQuery, type ViewSnapshotDeps } from './view-snapshot.ts';

export interface SqlRequest {
  readonly id: string | undefined;
  readonly sql: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly at: SqlEnd;
}

/** Last block of a result. */
export interface SqlBlock {
  readonly number: number;
  /** 0x and 64 hex digits. */
  readonly hash: string;
}

export interface SqlResult {
  readonly id: string;
  readonly state: ChainState;
  readonly end: SqlBlock;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly unknown[])[];
  readonly readRows: number;
  readonly elapsedMs: number;
}

/** Base cost in requests. Rows to read add to it. */
export const requestCost = 5;

export interface SqlDeps extends ViewSnapshotDeps, StoreDeps, SnapshotDeps, SourceReadDeps {
  readonly userDatabase: UserDatabase | undefined;
  readonly queryTurns: QueryTurns;
  readonly sqlQueries: RunningQueries;
  readonly stuckQueries: StuckQueries;
  readonly log: Log;
  readonly settings: ViewSnapshotDeps['settings'] & { readonly queryMaxRows: number; readonly sql: SqlSettings };
}

interface Turn extends QueryCaller {
  readonly gone: AbortSignal;
  /** Charges the caller. @returns false if the caller's rate limit is exceeded */
  readonly charge: (cost: number) => Promise<boolean>;
}

/** A stopped query counts as stuck this long after its time limit, s. Must be less than the engine's restart delay. */
const mostOvertimeSeconds = 5;
/** After this time, ms, a query that reacts to the stop has ended, even if a slow client had delayed it. */
const stopMs = 2_000;

/** Rows that count as one request in the rate limit. */
const rowsPerPoint = 1_000_000;

export async function explainSql(
  deps: SqlDeps,
  request: SqlRequest,
  turn: Turn,
): Promise<SqlEstimate & { plan: string[] }> {
  return running(deps, request, turn, async (prepare) =>
    deps.queryTurns.runShort(() =>
      deps.snapshots.run(async (state) => {
        const { query } = await prepare(state);
        const [columns, tables, plan] = [await query.describe(), await query.estimate(), await query.plan()];
        return { columns, tables, rows: countRows(tables), plan };
      }),
    ),
  );
}

/** @throws ApiProblem bad_query with the database's error */
export async function runSql(deps: SqlDeps, request: SqlRequest, turn: Turn): Promise<SqlResult> {
  const { body, ...result } = await readResult(deps, request, turn, 'JSONCompact');
  const { meta, data, statistics } = JSON.parse(body.toString()) as {
    meta: Column[];
    data: unknown[][];
    statistics: { elapsed: number; rows_read: number };
  };
  return {
    ...result,
    columns: meta,
    rows: data,
    readRows: statistics.rows_read,
    elapsedMs: Math.round(1000 * statistics.elapsed),
  };
}

/** Returns the complete result in a ClickHouse format. */
export async function readResult(
  deps: SqlDeps,
  request: SqlRequest,
  turn: Turn,
  format: string,
): Promise<{ readonly id: string; readonly state: ChainState; readonly end: SqlBlock; readonly body: Buffer }> {
  return running(deps, request, turn, async (prepare, id) => {
    const { cost, columns } = await admit(deps, prepare, turn);
    const run = (maxSeconds: number) =>
      deps.snapshots.run(
        async (state) => {
          const { query, read } = await prepare(state);
          const body = await query.read(showBinary(query.statement.sql, columns), format, maxSeconds);
          return { id, state, end: await readEnd(deps, read), body };
        },
        { isExpensive: true, isFinal: request.at === 'finalized' },
      );
    const expensive = () => deps.queryTurns.runExpensive(turn, () => run(deps.settings.sql.maxSeconds));
    if (cost > freeCost) return expensive();
    const limit = Math.min(cheapSeconds, deps.settings.sql.maxSeconds);
    // the estimate ignores functions and joins: after a timeout, run again as an expensive query
    return deps.queryTurns
      .runShort(() => run(limit))
      .catch((error: unknown) => {
        if (error instanceof UserSqlError && error.code === timedOut) return expensive();
        throw error;
      });
  });
}

/** @source ClickHouse src/Common/ErrorCodes.cpp, TIMEOUT_EXCEEDED */
const timedOut = '159';

/**
 * Streams the result in a ClickHouse format. Reads only finalized blocks.
 * @throws ApiProblem before the first byte. Later errors, including a reorg, end the stream.
 */
export async function streamSql(
  deps: SqlDeps,
  request: SqlRequest,
  turn: Turn,
  format: string,
): Promise<{ readonly id: string; readonly end: SqlBlock; readonly rows: Readable }> {
  return new Promise((resolve, reject) => {
    running(deps, { ...request, at: 'finalized' }, turn, async (prepare, id) => {
      const { columns } = await admit(deps, prepare, turn);
      await deps.queryTurns.runExpensive(turn, async () => {
        const { query, read } = await deps.snapshots.run(prepare, { isExpensive: true });
        const end = await readEnd(deps, read);
        const opened = await query.stream(showBinary(query.statement.sql, columns), format);
        const rows = Readable.from(
          holdLast(opened, () => assertUnchanged(deps, end, read)),
          { objectMode: false },
        );
        const closed = new Promise((done) => rows.once('close', done));
        resolve({ id, end, rows });
        // the next expensive query may start after the time limit, even if a slow client still reads this result
        await Promise.race([closed, after(1_000 * deps.settings.sql.maxSeconds, undefined, { ref: false })]);
        void closed.then(() => opened.destroy());
      });
    }).catch(reject);
  });
}

/** @throws Error if a reorg or repair replaced blocks of the query */
async function assertUnchanged(deps: SqlDeps, end: SqlBlock, read: ChainState): Promise<void> {
  const newest = await deps.snapshots.run(async (state) => state);
  assertRowsKept(read, newest, end.number);
  const { hash } = await readEnd(deps, { ...newest, head: end.number });
  if (hash !== end.hash) throw new Error('a reorg replaced blocks of this query');
}

async function readEnd({ database }: StoreDeps, state: ChainState): Promise<SqlBlock> {
  const given = { ...snapshotParameters(state), block_number: state.head, hash: '' };
  const { hash } = await database.readOne('pinned_block', given);
  return { number: state.head, hash: hash ?? '' };
}

interface Prepared {
  readonly query: PreparedQuery;
  readonly read: ChainState;
}

type Prepare = (state: ChainState) => Promise<Prepared>;

/** Stops the query in the database when the client disconnects or cancels it. */
async function running<T>(
  deps: SqlDeps,
  { id: wanted, sql, parameters, at }: SqlRequest,
  turn: Turn,
  run: (prepare: Prepare, id: string) => Promise<T>,
): Promise<T> {
  const { userDatabase } = deps;
  if (!userDatabase) throw new ApiProblem('not_found', 'SQL is disabled on this service (SQL_ACCESS=off)');
  const statement = readUserStatement(sql);
  await userDatabase.assertLimited().catch((error: unknown) => {
    deps.log.error(
      { event: 'sql_refused', error: String(error) },
      'Rejecting SQL of clients: the check of the database user failed',
    );
    throw new ApiProblem('store_unavailable', 'SQL is not available: see the log of the service');
  });
  deps.stuckQueries.assertAccepted(turn);
  const { id, query } = deps.sqlQueries.begin(turn, wanted);
  const guarded = deps.stuckQueries.guard(userDatabase, turn);
  const { signal } = query.stop;
  signal.addEventListener('abort', () => query.state !== 'ended' && void stopInDatabase(deps, query.mark, turn));
  // AbortSignal.any() would leak: scheduled queries share one signal, which fires only when the service stops
  const leave = () => query.stop.abort();
  const { gone } = turn;
  gone.addEventListener('abort', leave);
  if (gone.aborted) leave();
  const prepare: Prepare = async (state) => {
    const read = stateOfQuery(deps, state, at);
    await createDecodedViews(deps, statement.decoded);
    const snapshot = await readViewSnapshot(deps, read, statement);
    query.state = 'running';
    const call = { parameters, snapshot, signal };
    return { read, query: new PreparedQuery({ ...deps, userDatabase: guarded }, statement, call, query.mark) };
  };
  try {
    return await run(prepare, id);
  } catch (error) {
    if (query.stop.signal.aborted) throw new ApiProblem('bad_query', 'the query was cancelled');
    throw sqlProblem(error);
  } finally {
    gone.removeEventListener('abort', leave);
    deps.sqlQueries.end(id);
  }
}

/**
 * Stops a query, because the embedded engine would finish it without its client. Stops it twice, in case it starts
 * late. A query that does not stop counts against its caller, even if the caller has disconnected.
 */
async function stopInDatabase({ database, stuckQueries, log }: SqlDeps, mark: string, from: QueryCaller) {
  try {
    for (const ms of [0, 500]) {
      await after(ms);
      await database.execute('stop_sql', { mark });
    }
    await after(stopMs);
    for (;;) {
      const [progress] = await database.read('sql_progress', { mark });
      if (!progress) return;
      if (progress.overtime > mostOvertimeSeconds) return stuckQueries.add(from);
      await after(1_000, undefined, { ref: false });
    }
  } catch (error) {
    log.warn(
      { event: 'sql_stop_failed', error: String(error) },
      'A cancelled query could not be stopped and may run until its time limit',
    );
  }
}

/** Checks and charges a query. @throws ApiProblem bad_query if it would read too many rows, rate_limited */
async function admit(
  { snapshots, settings, queryTurns }: SqlDeps,
  prepare: Prepare,
  { charge }: Turn,
): Promise<{ readonly cost: number; readonly columns: readonly Column[] }> {
  const plan = () =>
    snapshots.run(async (state) => {
      const { query } = await prepare(state);
      return [await query.describe(), await query.estimate()] as const;
    });
  const [columns, tables] = await queryTurns.runShort(plan);
  const rows = countRows(tables);
  if (rows > settings.queryMaxRows)
    throw new ApiProblem(
      'bad_query',
      `the query would read about ${rows} rows, at most ${settings.queryMaxRows} are allowed: use the fast filters that /api/v1/sql/views lists`,
      { estimatedRows: rows, maxRows: settings.queryMaxRows },
    );
  const points = Math.floor(rows / rowsPerPoint);
  if (!(await charge(points)))
    throw new ApiProblem('rate_limited', `too many requests: this query counts as ${requestCost + points} requests`);
  return { cost: rows, columns };
}

const countRows = (tables: SqlEstimate['tables']) => tables.reduce((sum, { rows }) => sum + rows, 0);
