import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import type { SqlDeps } from '../../read/sql/sql-queries.ts';
import { Count } from '../../terms/primitives.ts';
import { assertMayUseSql, SqlQueryId } from './run-sql.ts';

const params = z.object({ id: SqlQueryId });

const Progress = z
  .strictObject({
    id: z.string(),
    state: z.enum(['waiting', 'running', 'ended']),
    elapsedMs: Count.meta({ description: 'Time since the request, ms' }),
    readRows: Count,
    totalRows: Count.meta({ description: 'Rows that the database expects to read; 0 while that is unknown' }),
    memoryBytes: Count,
  })
  .meta({ id: 'SqlProgress' });

export const getSqlQuery = defineRoute({
  id: 'getSqlQuery',
  base: '/api/v1',
  path: '/sql/queries/:id',
  methods: ['get'],
  tag: 'sql',
  summary: 'Progress of a query',
  description: 'Finds only your own queries, by the id that you sent with the query, until a minute after their end.',
  params,
  query: z.object({}),
  response: Progress,
  errors: ['not_found', 'unauthorized', 'store_unavailable'],
  maxAgeSeconds: 0,
  example: '/sql/queries/my-query-1',
  handle: async (deps: SqlDeps, input) => {
    assertMayUseSql(deps, input);
    const { id } = input.params;
    const { state, startedAt, mark } = deps.sqlQueries.find(input.caller, id);
    const [row] = state === 'running' ? await deps.database.read('sql_progress', { mark }) : [];
    return {
      id,
      // a query without progress still waits in the queue
      state: state === 'running' && !row ? ('waiting' as const) : state,
      elapsedMs: Date.now() - startedAt,
      readRows: Number(row?.read_rows ?? 0),
      totalRows: Number(row?.total_rows_approx ?? 0),
      memoryBytes: Number(row?.memory_bytes ?? 0),
    };
  },
});

export const cancelSqlQuery = defineRoute({
  id: 'cancelSqlQuery',
  base: '/api/v1',
  path: '/sql/queries/:id',
  methods: ['delete'],
  tag: 'sql',
  summary: 'Cancels a running query',
  description: 'The request that runs the query then returns the error bad_query.',
  params,
  query: z.object({}),
  response: z.strictObject({ id: z.string(), cancelled: z.literal(true) }),
  errors: ['not_found', 'unauthorized'],
  maxAgeSeconds: 0,
  example: '/sql/queries/my-query-1',
  handle: async (deps: SqlDeps, input) => {
    assertMayUseSql(deps, input);
    const { id } = input.params;
    deps.sqlQueries.find(input.caller, id).stop.abort();
    return { id, cancelled: true as const };
  },
});
