import { z } from 'zod';
import { finalThrough } from '#sql/snapshot.ts';
import { defineRoute, type RouteInput } from '../../http/define-route.ts';
import { HeadedReply, OtherReply } from '../../http/reply.ts';
import { indexInfo } from '../../read/chain/freshness.ts';
import { atReaderPace, type ExportSlots } from '../../read/export/places.ts';
import {
  explainSql,
  readResult,
  requestCost,
  runSql as run,
  type SqlBlock,
  type SqlDeps,
  type SqlRequest,
  streamSql,
} from '../../read/sql/sql-queries.ts';
import { listBinaryPlaceholders, maxSqlLength } from '../../read/sql/user-statement.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { Count, IndexInfo } from '../../terms/primitives.ts';

/** Formats sent as the database writes them. @source ClickHouse docs, Formats */
const sqlFormats = {
  ndjson: { name: 'JSONEachRow', type: 'application/x-ndjson', isStreamed: true },
  csv: { name: 'CSVWithNames', type: 'text/csv; charset=utf-8', isStreamed: true },
  tsv: { name: 'TSVWithNames', type: 'text/tab-separated-values; charset=utf-8', isStreamed: true },
  parquet: { name: 'Parquet', type: 'application/vnd.apache.parquet', isStreamed: true },
  arrow: { name: 'ArrowStream', type: 'application/vnd.apache.arrow.stream', isStreamed: true },
} as const;

export const SqlQueryId = z
  .string()
  .regex(/^[\w-]{8,64}$/, 'must be 8 to 64 letters, digits, - or _')
  .meta({ description: 'Id of a query that you run, unique among the running queries', example: 'my-query-1' });

export const SqlColumn = z
  .strictObject({
    name: z.string(),
    type: z.string().meta({ description: 'Data type of ClickHouse', example: 'UInt64' }),
  })
  .meta({ id: 'SqlColumn' });

/** JSON parsers round larger numbers. */
const exactNumber = z
  .number()
  .refine((value) => Math.abs(value) <= Number.MAX_SAFE_INTEGER, 'numbers beyond 2^53 must be sent as text');

/** Query text and placeholder values. */
export const sqlText = {
  sql: z
    .string()
    .min(1)
    .max(maxSqlLength)
    .meta({ description: 'One SELECT statement of ClickHouse; WITH may precede it', example: 'SELECT 1' }),
  parameters: z
    .record(z.string().regex(/^\w{1,64}$/), z.union([z.string(), exactNumber, z.boolean()]))
    .default({})
    .meta({ description: 'Values of the placeholders {name:Type}; types Address and Hash accept 0x and hex digits' }),
  at: z
    .enum(['finalized', 'head'], 'must be finalized or head')
    .default('finalized')
    .meta({ description: 'Last block that the query reads: the finalized one, or the newest one' }),
};

const Body = z
  .strictObject({
    ...sqlText,
    format: z
      .enum(['json', ...(Object.keys(sqlFormats) as (keyof typeof sqlFormats)[])])
      .default('json')
      .meta({
        description:
          'Format of the result. json has at most 100,000 rows. The other formats are streamed if at=finalized',
      }),
    explain: z.boolean().default(false).meta({ description: 'true: return an estimate and the plan, and run nothing' }),
    id: SqlQueryId.optional(),
  })
  .meta({ id: 'SqlRequest' });

/** Checks addresses and hashes, because `unhex`, which decodes them, accepts any text. */
export function readSqlParameters(given: z.output<typeof Body>['parameters'], sql: string): Record<string, string> {
  const values = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]));
  for (const { name, type } of listBinaryPlaceholders(sql)) {
    const digits = type === 'Address' ? 40 : 64;
    if (!new RegExp(`^0x[0-9a-fA-F]{${digits}}$`).test(values[name] ?? ''))
      throw new ApiProblem('bad_query', `parameter ${name} must be 0x and ${digits} hex digits`);
  }
  return values;
}

const Estimate = z.strictObject({
  rows: Count.meta({ description: 'Number of rows that the database expects to read; the limit is QUERY_MAX_ROWS' }),
  tables: z.array(z.strictObject({ table: z.string(), rows: Count })),
  plan: z.array(z.string()).meta({ description: 'Lines of the query plan (EXPLAIN indexes = 1)' }),
});

const SqlReply = z
  .strictObject({
    id: z.string().nullable(),
    columns: z.array(SqlColumn),
    rows: z.array(z.array(z.unknown())).meta({
      description:
        'One array per row. Integers of 64 bits and more are decimal strings; addresses and hashes are hex strings',
    }),
    rowCount: Count,
    readRows: Count.meta({ description: 'Number of rows that the database read' }),
    elapsedMs: Count,
    asOf: z.strictObject({ block: Count, hash: z.string(), finalized: z.boolean() }).nullable().meta({
      description: 'Last block that the query read; the same query up to this block always returns the same rows',
    }),
    estimate: Estimate.nullable().meta({ description: 'null if explain is false' }),
    index: IndexInfo.nullable(),
  })
  .meta({ id: 'SqlResult' });

interface RouteDeps extends SqlDeps {
  readonly exportSlots: ExportSlots;
}

type Input = RouteInput<unknown, unknown, z.output<typeof Body>>;

/** @throws ApiProblem unauthorized if the caller needs a credential */
export function assertMayUseSql(
  { settings }: Pick<SqlDeps, 'settings'>,
  { identity, unchecked }: Pick<Input, 'identity' | 'unchecked'>,
): void {
  if (settings.sql.access === 'key' && !identity)
    throw (
      unchecked ??
      new ApiProblem('unauthorized', 'SQL needs an API key or access token: send X-API-Key or Authorization')
    );
}

/** @source docs/sql.md */
export const runSql = defineRoute({
  id: 'runSql',
  base: '/api/v1',
  path: '/sql',
  methods: ['post'],
  tag: 'sql',
  summary: 'Runs a SELECT on the public views',
  description:
    'Each query reads one snapshot of the chain. By default, callers need an API key or access token (SQL_ACCESS). If the connection breaks, the result is incomplete.',
  params: z.object({}),
  query: z.object({}),
  body: {
    schema: Body,
    maxBytes: 262_144,
    example: { sql: 'SELECT miner, count() AS blocks FROM blocks GROUP BY miner ORDER BY blocks DESC LIMIT 5' },
  },
  response: SqlReply,
  mediaTypes: ['application/json', ...Object.values(sqlFormats).map(({ type }) => type)],
  errors: [
    'bad_query',
    'unauthorized',
    'not_found',
    'indexing',
    'rate_limited',
    'payload_too_large',
    'store_unavailable',
  ],
  cost: requestCost,
  maxAgeSeconds: 0,
  example: '/sql',
  handle: async (deps: RouteDeps, input: Input) => {
    assertMayUseSql(deps, input);
    const { body, caller, address, gone, charge } = input;
    const { id, sql, at, format } = body;
    const request: SqlRequest = { id, sql, at, parameters: readSqlParameters(body.parameters, sql) };
    const turn = { caller, address, gone, charge };
    if (body.explain) return explained(deps, request, turn);
    if (format === 'json') return answer(deps, request, turn);
    const { name, type } = sqlFormats[format];
    const headers = (own: string, { number, hash }: SqlBlock) => ({
      'X-Query-Id': own,
      'X-As-Of-Block': String(number),
      'X-As-Of-Block-Hash': hash,
      'Content-Disposition': `attachment; filename="query-${number}.${format}"`,
    });
    if (at === 'finalized') {
      const { id: own, end, rows } = await openStream(deps, request, { ...turn, address }, name);
      return new OtherReply(type, rows, headers(own, end));
    }
    const result = await readResult(deps, request, turn, name);
    return new OtherReply(type, result.body, headers(result.id, result.end));
  },
});

/** Uses an export slot, because exports and streams share the database. */
async function openStream(deps: RouteDeps, request: SqlRequest, turn: StreamTurn, format: string) {
  const release = deps.exportSlots.take(turn);
  try {
    const streamed = await streamSql(deps, request, turn, format);
    const rows = atReaderPace(streamed.rows);
    rows.once('close', () => {
      release();
      streamed.rows.destroy();
    });
    return { ...streamed, rows };
  } catch (error) {
    release();
    throw error;
  }
}

type Turn = Parameters<typeof run>[2];
type StreamTurn = Turn & { readonly address: string };

async function answer(deps: SqlDeps, request: SqlRequest, turn: Turn) {
  const { id, columns, rows, readRows, elapsedMs, state, end } = await run(deps, request, turn);
  const asOf = { block: end.number, hash: end.hash, finalized: end.number <= finalThrough(state) };
  const reply = { id, columns: [...columns], rows: rows.map((row) => [...row]), rowCount: rows.length };
  return new HeadedReply(
    { ...reply, readRows, elapsedMs, asOf, estimate: null, index: indexInfo(deps, state) },
    { 'X-Query-Id': id },
  );
}

async function explained(deps: SqlDeps, request: SqlRequest, turn: Turn) {
  const { columns, rows, tables, plan } = await explainSql(deps, request, turn);
  const estimate = { rows, tables: tables.map((table) => ({ ...table })), plan };
  const none = { rows: [], rowCount: 0, readRows: 0, elapsedMs: 0, asOf: null, index: null };
  return { id: null, columns: [...columns], ...none, estimate };
}
