/** @source docs/sql.md#scheduled-queries */
import { z } from 'zod';
import { isoTimeFromMs } from '#chain/codec/iso-time.ts';
import type { OutboundNetwork } from '#runtime/outbound/outbound.ts';
import { defineRoute } from '../../http/define-route.ts';
import { OtherReply } from '../../http/reply.ts';
import { assertWebhookUrl } from '../../read/account/webhook.ts';
import { describeRun, type Schedule, scheduleMinutes } from '../../read/sql/schedules.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { Count, IsoTime, Limit } from '../../terms/primitives.ts';
import { accountErrors, receiverFields, receiverReply } from '../account/common.ts';
import { toCsv } from '../charts/csv.ts';
import { SqlColumn } from './run-sql.ts';
import { assertSqlIsOn, exampleId, type SavedDeps, SavedId, type SavedWriteDeps, savedRoute } from './saved-sql.ts';

const ScheduleReply = z
  .strictObject({
    id: z.string(),
    everyMinutes: Count,
    url: z.string().nullable(),
    secret: z.string().nullable().meta({ description: 'Key that signs the notifications (Standard Webhooks)' }),
    nextRunAt: IsoTime,
    ...receiverFields,
  })
  .meta({ id: 'SqlSchedule' });

function scheduleReply({ schedules }: SavedDeps, schedule: Schedule): z.input<typeof ScheduleReply> {
  const { queryId: id, everyMinutes, url, nextMs } = schedule;
  return {
    ...{ id, everyMinutes },
    url: url === '' ? null : url,
    secret: url === '' ? null : schedules.secret(id),
    nextRunAt: isoTimeFromMs(nextMs),
    ...receiverReply(schedule),
  };
}

/** Stored size of a schedule without its URL. */
const rowBytes = 400;

export const setSqlSchedule = defineRoute({
  ...savedRoute,
  id: 'setSqlSchedule',
  path: '/sql/saved/:id/schedule',
  methods: ['post'],
  summary: 'Runs one of your saved queries regularly',
  description:
    'Runs the newest version at multiples of the interval (UTC). Stores the newest 100 results for at most 90 days. Sends each result to `url` as the event sql.result, by POST in the format of Standard Webhooks. Setting a schedule again ends a pause.',
  params: z.object({ id: SavedId }),
  body: {
    schema: z.strictObject({
      everyMinutes: z
        .int()
        .min(scheduleMinutes.min, `must be at least ${scheduleMinutes.min}`)
        .max(scheduleMinutes.max, `must be at most ${scheduleMinutes.max}`),
      url: z.string().max(2_000, 'must have at most 2000 characters').optional(),
    }),
    maxBytes: 4_096,
    example: { everyMinutes: 1_440, url: 'https://example.com/hook' },
  },
  response: ScheduleReply,
  errors: [...accountErrors, 'not_found', 'payload_too_large', 'rate_limited'],
  cost: 5,
  example: `/sql/saved/${exampleId}/schedule`,
  handle: async (
    deps: SavedWriteDeps & { readonly outbound: OutboundNetwork },
    { params: { id }, body, identity, address, keep },
  ) => {
    assertSqlIsOn(deps);
    await deps.savedQueries.requireOwn(identity.id, id);
    if (body.url !== undefined) assertWebhookUrl(body.url, deps.outbound);
    const { everyMinutes, url = '' } = body;
    await keep(rowBytes + url.length); // replaced schedules count too
    return scheduleReply(deps, await deps.schedules.set(id, identity.id, address, { everyMinutes, url }));
  },
});

export const getSqlSchedule = defineRoute({
  ...savedRoute,
  id: 'getSqlSchedule',
  path: '/sql/saved/:id/schedule',
  methods: ['get'],
  summary: 'Schedule of one of your saved queries',
  params: z.object({ id: SavedId }),
  response: ScheduleReply,
  errors: [...accountErrors, 'not_found'],
  example: `/sql/saved/${exampleId}/schedule`,
  handle: async (deps: SavedDeps, { params: { id }, identity }) =>
    scheduleReply(deps, await requireSchedule(deps, identity.id, id)),
});

export const deleteSqlSchedule = defineRoute({
  ...savedRoute,
  id: 'deleteSqlSchedule',
  path: '/sql/saved/:id/schedule',
  methods: ['delete'],
  summary: 'Stops the regular runs of a saved query; its results stay',
  params: z.object({ id: SavedId }),
  response: z.unknown(),
  errors: [...accountErrors, 'not_found'],
  successStatus: 204,
  example: `/sql/saved/${exampleId}/schedule`,
  handle: async (deps: SavedDeps, { params: { id }, identity }) => {
    await deps.schedules.remove(await requireSchedule(deps, identity.id, id));
    return new OtherReply('application/json', '', {}, undefined, 204);
  },
});

async function requireSchedule({ savedQueries, schedules }: SavedDeps, owner: string, id: string): Promise<Schedule> {
  await savedQueries.requireOwn(owner, id);
  const [schedule] = await schedules.list({ queryId: id });
  if (!schedule) throw new ApiProblem('not_found', `saved query ${id} has no schedule`);
  return schedule;
}

const resultFields = {
  runAt: IsoTime.meta({ description: 'Time for which the run was scheduled' }),
  version: Count.meta({ description: 'Version of the query that ran' }),
  asOf: z
    .strictObject({ block: Count, hash: z.string() })
    .nullable()
    .meta({ description: 'Last block that the query read; null if it failed' }),
  rowCount: Count,
  error: z.string().nullable().meta({ description: 'Why the query failed; null if it succeeded' }),
  path: z.string(),
};

export const listSqlResults = defineRoute({
  id: 'listSqlResults',
  base: '/api/v1',
  path: '/sql/saved/:id/results',
  methods: ['get'],
  tag: 'sql',
  summary: 'Results of a scheduled query, the newest first',
  params: z.object({ id: SavedId }),
  query: z.object({ limit: Limit }),
  response: z
    .strictObject({ items: z.array(z.strictObject(resultFields).meta({ id: 'SqlResultInfo' })) })
    .meta({ id: 'SqlResultList' }),
  errors: ['bad_query', 'not_found', 'store_unavailable'],
  maxAgeSeconds: 0,
  example: `/sql/saved/${exampleId}/results`,
  handle: async ({ savedQueries, schedules }: SavedDeps, { params: { id }, query }) => {
    await savedQueries.versions(id);
    return { items: (await schedules.results(id, query.limit)).map((result) => describeRun(id, result)) };
  },
});

export const getSqlResult = defineRoute({
  id: 'getSqlResult',
  base: '/api/v1',
  path: '/sql/saved/:id/results/:run',
  methods: ['get'],
  tag: 'sql',
  summary: 'Result of one run of a scheduled query',
  params: z.object({
    id: SavedId,
    run: z
      .string()
      .regex(/^(latest|\d{1,15})$/, 'must be latest or the time of a run, Unix ms')
      .meta({ description: 'latest, or the time of the run, Unix ms', example: 'latest' }),
  }),
  query: z.object({
    format: z.enum(['json', 'csv'], 'must be json or csv').default('json').meta({ description: 'Format of the reply' }),
  }),
  response: z
    .strictObject({ ...resultFields, columns: z.array(SqlColumn), rows: z.array(z.array(z.unknown())) })
    .meta({ id: 'StoredSqlResult' }),
  mediaTypes: ['application/json', 'text/csv; charset=utf-8'],
  errors: ['bad_query', 'not_found', 'store_unavailable'],
  maxAgeSeconds: 0,
  example: `/sql/saved/${exampleId}/results/latest`,
  handle: async ({ savedQueries, schedules }: SavedDeps, { params: { id, run }, query }) => {
    await savedQueries.versions(id);
    const runMs = run === 'latest' ? (await schedules.results(id, 1))[0]?.runMs : Number(run);
    const result = runMs === undefined ? undefined : await schedules.result(id, runMs);
    if (!result) throw new ApiProblem('not_found', `saved query ${id} has no result of this time`);
    if (query.format === 'json')
      return {
        ...describeRun(id, result),
        columns: result.columns.map((column) => ({ ...column })),
        rows: result.rows.map((row) => [...row]),
      };
    if (result.error !== '') throw new ApiProblem('bad_query', `this run failed: ${result.error}`);
    const rows = result.rows.map((row) => row.map(cellText));
    const csv = toCsv(
      result.columns.map(({ name }) => name),
      rows,
    );
    return new OtherReply('text/csv; charset=utf-8', csv, { 'X-As-Of-Block': String(result.blockNumber) });
  },
});

const cellText = (value: unknown): string | null =>
  value === null ? null : typeof value === 'object' ? JSON.stringify(value) : String(value);
