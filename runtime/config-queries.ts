import { z } from 'zod';
import { blank, count, httpUrl } from './config-fields.ts';

export const queryFields = {
  PAGE_SCAN_ROWS: count(
    100_000,
    'Maximum rows that one page of a list scans if no index fits the filter; the next page continues where the scan stopped',
    1_000,
  ),
  QUERY_MAX_ROWS: count(
    100_000_000,
    'Maximum cost of a query of statistics (/stats/query): rows that it is expected to read, times the cost of a row',
    1_000,
  ),
  SQL_ACCESS: z
    .preprocess(blank, z.enum(['off', 'key', 'open']).optional())
    .describe(
      'Who may run own SQL on the public views. off: no client; key: callers with an API key or access token; open: everybody. Unset: key; on a local dev chain open. With CLICKHOUSE_URL also set SQL_CLICKHOUSE_URL, else it is off',
    ),
  SQL_CLICKHOUSE_URL: z
    .preprocess(blank, httpUrl.optional())
    .describe(
      "URL of the ClickHouse server for clients' SQL, with name and password of a user who may only read the public views; only with CLICKHOUSE_URL; unset: no SQL",
    ),
  SQL_MAX_SECONDS: count(30, 'Maximum time of a query in SQL, seconds', 1, 600),
  SQL_MAX_MEMORY_MB: count(2_048, 'Maximum memory of a query in SQL, MiB', 64),
};

interface QueryConfig {
  readonly CLICKHOUSE_DATABASE: string;
  readonly CLICKHOUSE_URL?: string | undefined;
  readonly SQL_CLICKHOUSE_URL?: string | undefined;
}

export function queryErrors({ CLICKHOUSE_DATABASE, CLICKHOUSE_URL, SQL_CLICKHOUSE_URL }: QueryConfig): string[] {
  const errors: string[] = [];
  if (CLICKHOUSE_DATABASE.startsWith('sql_views_'))
    errors.push('CLICKHOUSE_DATABASE must not begin with "sql_views_", the prefix of databases that clients may read');
  if (SQL_CLICKHOUSE_URL && !CLICKHOUSE_URL)
    errors.push('SQL_CLICKHOUSE_URL is set without CLICKHOUSE_URL: the embedded ClickHouse limits SQL by itself');
  return errors;
}
