/** Compares replies of statistics queries, and the SQL that the service writes for them, with a separate count. */
import { Random } from '#devchain/random.ts';
import { type ModelQuery, modelQuery, type QueryChain } from './query-model.ts';
import { randomQuery } from './random-query.ts';
import type { RunningApi } from './service.ts';

// biome-ignore lint/suspicious/noExplicitAny: replies are checked field by field
type Reply = any;

export async function askQuery(api: RunningApi, parameters: Record<string, string>): Promise<Reply> {
  const path = `/api/v1/stats/query?${new URLSearchParams({ from: '0', ...parameters })}`;
  const { status, body } = await api.get(path);
  if (status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`);
  return body;
}

/** Returns the differences of `count` random queries. */
export async function compareRandom(api: RunningApi, seed: number, count: number, chain: QueryChain) {
  const random = new Random(seed);
  const found: string[] = [];
  for (let i = 0; i < count; i++) found.push(...(await findDifferences(api, randomQuery(random, chain), chain)));
  return found;
}

/** Compares all series of a reply with the model. Skips the group of all others, which the model lacks. */
async function findDifferences(api: RunningApi, query: ModelQuery, chain: QueryChain): Promise<string[]> {
  const { of, measure, field, filters, groupBy, resolution } = query;
  const given = Object.entries(filters).filter(([, values]) => values.length > 0);
  // 5 is so small that groups of equal size compete for the last places
  const top = given.length % 2 === 0 ? 50 : 5;
  const parameters = {
    ...{ of, measure, resolution, top: String(top) },
    ...(field === undefined ? {} : { field }),
    ...(groupBy.length === 0 ? {} : { groupBy: groupBy.join() }),
    ...Object.fromEntries(given.map(([name, values]) => [name, values.join()])),
  };
  const { series } = await askQuery(api, parameters);
  const expected = modelQuery({ ...query, filters: Object.fromEntries(given) }, chain);
  const found: string[] = [];
  const name = JSON.stringify(parameters);
  const groups = series.filter(({ isOther }: Reply) => !isOther);
  if (groups.length !== Math.min(expected.size, top))
    found.push(`${name}: ${groups.length} groups, expected ${expected.size}`);
  const largest = [...expected.values()].map((values) => toMillionths(values.get('total'))).sort(descending);
  const listed = groups.map(({ total }: Reply) => toMillionths(total));
  if (listed.join() !== largest.slice(0, top).join()) found.push(`${name}: not the largest groups first: ${listed}`);
  const none = /count|sum|distinct|new/.test(measure) ? '0' : null;
  for (const { keys, total, points } of groups) {
    const values = expected.get(groupBy.map((key) => keys[key]).join());
    if (total !== values?.get('total')) found.push(`${name}: total ${total}, expected ${values?.get('total')}`);
    for (const { timestamp, value } of points) {
      const should = values?.get(timestamp) ?? none;
      if (value !== should) found.push(`${name} at ${timestamp}: ${value}, expected ${should}`);
    }
  }
  return [...found, ...(await compareSql(api, query, parameters, series))];
}

const descending = (a: bigint, b: bigint) => (a < b ? 1 : a > b ? -1 : 0);

function toMillionths(value: string | null | undefined): bigint {
  const [whole = '-1', fraction = ''] = value?.split('.') ?? [];
  return BigInt(whole + fraction.padEnd(6, '0'));
}

/** Runs the SQL of a query and compares its rows with the non-empty values. */
export async function compareSql(
  api: RunningApi,
  { measure, groupBy, resolution }: Pick<ModelQuery, 'measure' | 'groupBy' | 'resolution'>,
  parameters: Record<string, string>,
  series: readonly Reply[],
): Promise<string[]> {
  const path = `/api/v1/stats/query?${new URLSearchParams({ from: '0', ...parameters, format: 'sql' })}`;
  const { body: sql } = await api.get(path);
  const headers = { 'Content-Type': 'application/json' };
  const asked = JSON.stringify({ sql, at: 'head' });
  const { status, body } = await api.get('/api/v1/sql', { method: 'POST', headers, body: asked });
  if (status !== 200) return [`${sql}\n${JSON.stringify(body)}`];
  const rows = new Map<string, string | null>();
  for (const row of body.rows) {
    const [value, ...place] = [...row].reverse();
    rows.set(place.reverse().map(toKey).join(), value);
  }
  const found: string[] = [];
  let expected = 0;
  for (const { keys, total, points, isOther } of series) {
    if (isOther || Object.values(keys).includes('none')) continue;
    const group = groupBy.map((key) => toKey(keys[key]));
    const places = resolution === 'all' ? [{ place: group, value: total }] : points.map(placeIn(group));
    for (const { place, value } of places) {
      const given = rows.get(place.join());
      // SQL has no rows for empty time buckets, but a running total has a value there
      const mayBeAbsent = value === null || value === '0' || parameters['cumulative'] === 'true';
      if (given === undefined && mayBeAbsent) continue;
      expected++;
      if (value === null && given === null) continue;
      const isEqual =
        measure === 'average' || measure === 'share' ? isNear(value, given) : value !== null && value === String(given);
      if (!isEqual) found.push(`${sql}\n${place.join()}: ${given}, the reply has ${value}`);
    }
  }
  if (parameters['cumulative'] === 'true' && expected === 0) found.push(`${sql}\nno rows`);
  if (rows.size !== expected) found.push(`${sql}\n${rows.size} rows, the reply has ${expected} values`);
  return found;
}

const placeIn =
  (group: readonly string[]) =>
  ({ timestamp, value }: Reply) => ({ place: [new Date(timestamp * 1000).toISOString(), ...group], value });

/** Formats times as ISO 8601, and empty bytes as empty text. */
function toKey(value: unknown): string {
  const text = String(value);
  if (/^\d{4}-\d\d-\d\d \d\d:/.test(text)) return new Date(`${text.replace(' ', 'T')}Z`).toISOString();
  return text === '0x' ? '' : text;
}

/** SQL divides floating-point numbers. */
const isNear = (one: string | null, other: string | null | undefined) =>
  one !== null && other !== null && Math.abs(Number(one) - Number(other)) <= 1e-6 * Math.max(1, Math.abs(Number(one)));
