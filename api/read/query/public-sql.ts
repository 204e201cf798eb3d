/** Writes a statistics query as SQL that clients can run, change and save (docs/sql.md). */
import { ApiProblem } from '../../terms/errors.ts';
import { maxSqlLength } from '../sql/user-statement.ts';
import type { Measure } from './datasets.ts';
import { mayOverflow } from './figures.ts';
import { datasetConditions, excludeNulls, filterConditions, publicColumn, publicView } from './public-rows.ts';
import type { QueryWindow } from './query-window.ts';
import type { StatsQuery } from './stats-query.ts';

const bucketStarts: Readonly<Record<Exclude<StatsQuery['resolution'], 'all'>, string>> = {
  '5min': 'toStartOfFiveMinutes(timestamp)',
  hour: 'toStartOfHour(timestamp)',
  day: 'toStartOfDay(timestamp)',
  week: "toDateTime(toMonday(timestamp), 'UTC')",
  month: "toDateTime(toStartOfMonth(timestamp), 'UTC')",
  year: "toDateTime(toStartOfYear(timestamp), 'UTC')",
};

/** Above 2^256, a sum wraps around. False transfer events can have such values. */
const maxTokens = '1.15e77';
const sumOfTokens = `if(sum(toFloat64(amount)) < ${maxTokens}, sum(amount), NULL)`;

const aggregates: Readonly<Record<Exclude<Measure, 'share'>, string>> = {
  count: 'count()',
  sum: 'ifNull(sum(amount), 0)',
  average: 'sum(amount) / nullIf(count(amount), 0)',
  min: 'minOrNull(amount)',
  max: 'maxOrNull(amount)',
  p50: 'quantileExactOrNull(0.5)(amount)',
  p90: 'quantileExactOrNull(0.9)(amount)',
  p99: 'quantileExactOrNull(0.99)(amount)',
  distinct: 'uniqExact(subject)',
  new: 'count()',
};

/**
 * Returns the query as SQL over the public views. The result has no row for empty time buckets, for groups outside
 * `top`, or, by recipient, for failed contract creations.
 * @param title describes the query
 * @param firstBlock first indexed block
 * @throws ApiProblem bad_query if value lists make the SQL too long for POST /sql
 */
export function writePublicSql(query: StatsQuery, window: QueryWindow, title: string, firstBlock: number): string {
  const { groupBy: keys } = query;
  const { lists, rows: matching } = writeMatching(query, window, firstBlock);
  const parts = [
    ...[...lists].map(([name, values]) => `${name} AS (SELECT arrayJoin([${values.join(', ')}]))`),
    `matching AS\n(\n${indent(matching)}\n)`,
    ...(keys.length > 0 ? [`largest AS\n(\n${indent(writeLargest(query))}\n)`] : []),
  ];
  const rows = writeGrouped(query);
  const order = hasTimes(query) ? ['time', ...keys] : ['value DESC', ...keys];
  const sql = lines([
    `-- ${title.replace(/\s+/g, ' ').slice(0, 200)}`,
    `WITH ${parts.join(',\n')}`,
    isRunning(query) ? writeRunning(rows, query, window) : rows,
    `ORDER BY ${order.join(', ')}`,
  ]);
  if (sql.length < maxSqlLength) return sql;
  throw new ApiProblem(
    'bad_query',
    `the SQL has ${sql.length} characters, POST /sql accepts ${maxSqlLength}: filter by fewer values`,
  );
}

const hasTimes = ({ resolution }: StatsQuery) => resolution !== 'all';
const isRunning = (query: StatsQuery) => query.isCumulative && hasTimes(query);

/** Averages in two parts, because sums need 256 bits. API replies use the same order. */
const averageRanks = [
  'intDiv(sum(amount), greatest(count(amount), 1))',
  'toFloat64(sum(amount) % greatest(count(amount), 1)) / greatest(count(amount), 1)',
];

function writeLargest(query: StatsQuery): string {
  const keys = query.groupBy.join(', ');
  const ranks = query.measure === 'average' ? averageRanks : [writeValue(query)];
  // a sum above 2^256 would wrap around and rank low
  const overflow =
    query.measure !== 'share' && mayOverflow(query.of, query.measure)
      ? `sum(toFloat64(amount)) >= ${maxTokens} DESC, `
      : '';
  return lines([
    `SELECT ${keys}`,
    'FROM matching',
    `GROUP BY ${keys}`,
    `ORDER BY ${overflow}${ranks.map((rank) => `${rank} DESC`).join(', ')}, ${keys}`,
    `LIMIT ${query.top}`,
  ]);
}

function writeGrouped(query: StatsQuery): string {
  const { resolution, groupBy: keys } = query;
  const times = resolution === 'all' ? [] : [`${bucketStarts[resolution]} AS time`];
  const values =
    isRunning(query) && needsRoughTotals(query)
      ? ['sum(amount) AS value', 'sum(toFloat64(amount)) AS rough']
      : [`${writeValue(query)} AS value`];
  const groups = [...times.map(() => 'time'), ...keys];
  return lines([
    `SELECT ${[...times, ...keys, ...values].join(', ')}`,
    'FROM matching',
    keys.length > 0 && `WHERE (${keys.join(', ')}) IN (SELECT ${keys.join(', ')} FROM largest)`,
    groups.length > 0 && `GROUP BY ${groups.join(', ')}`,
  ]);
}

function writeValue({ of, measure, field }: StatsQuery): string {
  if (measure === 'share')
    return field === undefined
      ? 'if(count() = 0, NULL, countIf(matches) / count())'
      : 'if(sum(toFloat64(amount)) = 0, NULL, ifNull(sumIf(toFloat64(amount), matches), 0) / sum(toFloat64(amount)))';
  if (!mayOverflow(of, measure)) return aggregates[measure];
  return measure === 'sum' ? sumOfTokens : `${sumOfTokens} / nullIf(count(amount), 0)`;
}

const needsRoughTotals = ({ of, measure }: StatsQuery) => measure !== 'share' && mayOverflow(of, measure);

/** Writes the SQL that selects the rows to measure, with their time, measured column and group keys. */
function writeMatching(query: StatsQuery, window: QueryWindow, firstBlock: number) {
  const { of, measure, field, filters, groupBy: keys, isCumulative } = query;
  const isKeyed = measure === 'distinct' || measure === 'new';
  const readsEarlier = measure === 'new' || isCumulative;
  const range = `block_number BETWEEN ${readsEarlier ? firstBlock : window.fromBlock} AND ${window.toBlock}`;
  const { conditions: own, lists } = filterConditions(of, filters, range);
  const isShare = measure === 'share';
  const columns = [
    'timestamp',
    ...(field === undefined ? [] : [named(publicColumn(of, field), isKeyed ? 'subject' : 'amount')]),
    ...(isShare ? [`(${own.length === 0 ? 'true' : own.join(' AND ')}) AS matches`] : []),
    ...keys.map((key) => named(publicColumn(of, key), key)),
  ];
  const given = [...datasetConditions(of, isShare ? {} : filters, range), ...(isShare ? [] : own)];
  const rows = lines([
    `SELECT ${columns.join(', ')}`,
    `FROM ${publicView(of)}`,
    `WHERE ${[...given, ...excludeNulls(of, [...keys, ...(isKeyed && field ? [field] : [])])].join('\n    AND ')}`,
  ]);
  if (measure !== 'new') return { rows, lists };
  // counts the first row of each value and group, if it is in the time range
  const firsts = lines([
    `SELECT min(timestamp) AS timestamp, ${['subject', ...keys].join(', ')}`,
    `FROM\n(\n${indent(rows)}\n)`,
    `GROUP BY ${['subject', ...keys].join(', ')}`,
    !isCumulative && `HAVING timestamp >= toDateTime(${window.fromTime}, 'UTC')`,
  ]);
  return { rows: firsts, lists };
}

const named = (column: string, alias: string) => (column === alias ? column : `${column} AS ${alias}`);

/** Sums from the first block, and returns only the time range. */
function writeRunning(rows: string, query: StatsQuery, { fromTime }: QueryWindow): string {
  const { groupBy: keys } = query;
  const partition = keys.length > 0 ? `PARTITION BY ${keys.join(', ')} ` : '';
  const over = `OVER (${partition}ORDER BY time)`;
  const total = needsRoughTotals(query)
    ? `if(sum(rough) ${over} < ${maxTokens}, sum(value) ${over}, NULL)`
    : `sum(value) ${over}`;
  const running = `SELECT ${['time', ...keys].join(', ')}, ${total} AS value\nFROM\n(\n${indent(rows)}\n)`;
  return `SELECT *\nFROM\n(\n${indent(running)}\n)\nWHERE time >= toDateTime(${fromTime}, 'UTC')`;
}

const lines = (parts: readonly (string | false | undefined)[]) =>
  parts.filter((part): part is string => typeof part === 'string').join('\n');
const indent = (text: string) => text.replace(/^/gm, '    ');
