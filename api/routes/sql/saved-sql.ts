/** @source docs/sql.md#saved-queries */
import { z } from 'zod';
import { isoTimeFromMs } from '#chain/codec/iso-time.ts';
import { defineRoute } from '../../http/define-route.ts';
import { OtherReply } from '../../http/reply.ts';
import type { SqlSettings } from '../../read/sql/prepared-query.ts';
import { maxSavedQueries, type QueryText, type SavedQueries, type SavedQuery } from '../../read/sql/saved-queries.ts';
import type { Schedules } from '../../read/sql/schedules.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { Count, IsoTime, integerFrom } from '../../terms/primitives.ts';
import { accountErrors, accountRoute } from '../account/common.ts';
import { readSqlParameters, sqlText } from './run-sql.ts';

export interface SavedDeps {
  readonly savedQueries: SavedQueries;
  readonly schedules: Schedules;
}

export interface SavedWriteDeps extends SavedDeps {
  readonly settings: { readonly sql: SqlSettings };
}

/** Rejects requests while SQL is disabled, because the service could not run the query. @throws ApiProblem not_found */
export function assertSqlIsOn({ settings }: SavedWriteDeps): void {
  if (settings.sql.access === 'off')
    throw new ApiProblem('not_found', 'SQL is disabled on this service (SQL_ACCESS=off)');
}

export const savedRoute = { ...accountRoute, tag: 'sql' } as const;
export const exampleId = '00000000000000000000000000000000';
export const SavedId = z.string().regex(/^[0-9a-f]{32}$/, 'must be the id of a saved query (32 hex digits)');

const savedFields = {
  id: z.string(),
  version: Count.meta({ description: 'Number of this version; a version never changes' }),
  title: z.string(),
  sql: z.string(),
  parameters: z.record(z.string(), z.string()),
  at: z.enum(['finalized', 'head']),
  createdAt: IsoTime,
  path: z.string().meta({ description: 'Path of the page of this version' }),
};

const Saved = z
  .strictObject({
    ...savedFields,
    isScheduled: z.boolean().meta({ description: 'true if the newest version is run on a schedule' }),
  })
  .meta({ id: 'SavedSql' });

const SavedWithVersions = z
  .strictObject({
    ...savedFields,
    isScheduled: z.boolean(),
    versions: z.array(z.strictObject({ version: Count, createdAt: IsoTime })),
  })
  .meta({ id: 'SavedSqlVersions' });

const maxParameterLength = 16_384;

const SavedBody = z.strictObject({
  title: z.string().trim().min(1).max(100, 'must have at most 100 characters'),
  ...sqlText,
  parameters: sqlText.parameters.refine((values) => JSON.stringify(values).length <= maxParameterLength, {
    error: `must have at most ${maxParameterLength} characters`,
  }),
});

const exampleQuery = {
  title: 'Blocks by producer',
  sql: 'SELECT miner, count() AS blocks FROM blocks GROUP BY miner ORDER BY blocks DESC LIMIT 5',
};

const toQueryText = ({ title, sql, parameters, at }: z.output<typeof SavedBody>): QueryText => ({
  ...{ title, sql, at },
  parameters: readSqlParameters(parameters, sql),
});

function savedReply(query: SavedQuery, isScheduled: boolean): z.input<typeof Saved> {
  const { id, number: version, title, sql, parameters, at, createdMs } = query;
  const path = `/sql?saved=${id}&version=${version}`;
  return {
    ...{ id, version, title, sql, at, path, isScheduled },
    parameters: { ...parameters },
    createdAt: isoTimeFromMs(createdMs),
  };
}

export const saveSql = defineRoute({
  ...savedRoute,
  id: 'saveSql',
  path: '/sql/saved',
  methods: ['post'],
  summary: 'Saves a query and returns its link',
  description: 'Everybody who knows the id can read a saved query and its results.',
  params: z.object({}),
  body: { schema: SavedBody, maxBytes: 262_144, example: exampleQuery },
  response: Saved,
  errors: [...accountErrors, 'not_found', 'payload_too_large', 'rate_limited'],
  cost: 2,
  example: '/sql/saved',
  successStatus: 201,
  handle: async (deps: SavedWriteDeps, { body, identity, keep }) => {
    assertSqlIsOn(deps);
    await keep(Buffer.byteLength(JSON.stringify(body)));
    return savedReply(await deps.savedQueries.create(identity.id, toQueryText(body)), false);
  },
});

export const listSavedSql = defineRoute({
  ...savedRoute,
  id: 'listSavedSql',
  path: '/sql/saved',
  methods: ['get'],
  summary: 'Your saved queries, in their newest versions',
  params: z.object({}),
  response: z.strictObject({ items: z.array(Saved), limit: Count }).meta({ id: 'SavedSqlList' }),
  errors: [...accountErrors],
  example: '/sql/saved',
  handle: async ({ savedQueries, schedules }: SavedDeps, { identity }) => {
    const [queries, scheduled] = await Promise.all([
      savedQueries.list(identity.id),
      schedules.list({ owner: identity.id }),
    ]);
    const ids = new Set(scheduled.map(({ queryId }) => queryId));
    const newestFirst = queries.toSorted((a, b) => b.createdMs - a.createdMs);
    return { items: newestFirst.map((query) => savedReply(query, ids.has(query.id))), limit: maxSavedQueries };
  },
});

export const getSavedSql = defineRoute({
  id: 'getSavedSql',
  base: '/api/v1',
  path: '/sql/saved/:id',
  methods: ['get'],
  tag: 'sql',
  summary: 'A saved query, in one of its versions',
  params: z.object({ id: SavedId }),
  query: z.object({
    version: z
      .string()
      .regex(/^[1-9]\d{0,5}$/, 'must be the number of a version')
      .transform(Number)
      .optional()
      .meta({
        ...integerFrom(1, 999_999),
        description: 'Version of the query; default: the newest one',
        example: '1',
      }),
  }),
  response: SavedWithVersions,
  errors: ['bad_query', 'not_found', 'store_unavailable'],
  maxAgeSeconds: 0,
  example: `/sql/saved/${exampleId}`,
  handle: async (deps: SavedDeps, { params: { id }, query }) => readSaved(deps, id, query.version),
});

/** @throws ApiProblem not_found */
export async function readSaved({ savedQueries, schedules }: SavedDeps, id: string, version?: number) {
  const [versions, scheduled] = await Promise.all([savedQueries.versions(id), schedules.list({ queryId: id })]);
  const query = version === undefined ? versions[0] : versions.find(({ number }) => number === version);
  if (!query) throw new ApiProblem('not_found', `saved query ${id} has ${versions.length} versions, not ${version}`);
  return {
    ...savedReply(query, scheduled.length > 0),
    versions: versions.map(({ number, createdMs }) => ({ version: number, createdAt: isoTimeFromMs(createdMs) })),
  };
}

export const saveSqlVersion = defineRoute({
  ...savedRoute,
  id: 'saveSqlVersion',
  path: '/sql/saved/:id/versions',
  methods: ['post'],
  summary: 'Adds a version to one of your saved queries',
  params: z.object({ id: SavedId }),
  body: { schema: SavedBody, maxBytes: 262_144, example: exampleQuery },
  response: Saved,
  errors: [...accountErrors, 'not_found', 'payload_too_large', 'rate_limited'],
  cost: 2,
  example: `/sql/saved/${exampleId}/versions`,
  successStatus: 201,
  handle: async (deps: SavedWriteDeps, { params: { id }, body, identity, keep }) => {
    assertSqlIsOn(deps);
    await deps.savedQueries.requireOwn(identity.id, id);
    await keep(Buffer.byteLength(JSON.stringify(body)));
    const added = await deps.savedQueries.addVersion(identity.id, id, toQueryText(body));
    return savedReply(added, (await deps.schedules.list({ queryId: id })).length > 0);
  },
});

export const deleteSavedSql = defineRoute({
  ...savedRoute,
  id: 'deleteSavedSql',
  path: '/sql/saved/:id',
  methods: ['delete'],
  summary: 'Deletes one of your saved queries with its schedule',
  params: z.object({ id: SavedId }),
  response: z.unknown(),
  errors: [...accountErrors, 'not_found'],
  successStatus: 204,
  example: `/sql/saved/${exampleId}`,
  handle: async ({ savedQueries, schedules }: SavedDeps, { params: { id }, identity }) => {
    await savedQueries.requireOwn(identity.id, id);
    for (const schedule of await schedules.list({ queryId: id })) await schedules.remove(schedule);
    await savedQueries.remove(identity.id, id);
    return new OtherReply('application/json', '', {}, undefined, 204);
  },
});
