import { z } from 'zod';
import { blank, count, httpUrl } from './config-fields.ts';

export const queryFields = {
  PAGE_SCAN_ROWS: count(
    100_000,
    'Maximum rows to scan for one page of a list if no index fits the filter; the next page continues the scan',
    1_000,
  ),
  QUERY_MAX_ROWS: count(
    100_000_000,
    'Maximum cost of a statistics query (/stats/query): expected rows to read, times the cost per row',
    1_000,
  ),
  SQL_ACCESS: z
    .preprocess(blank, z.enum(['off', 'key', 'open']).optional())
    .describe(
      'Who may run SQL on the public views. off: no client; key: callers with an API key or access token; open: all callers. Unset: key, or open on a local dev chain. With CLICKHOUSE_URL, SQL is off unless SQL_CLICKHOUSE_URL is set',
    ),
  SQL_CLICKHOUSE_URL: z
    .preprocess(blank, httpUrl.optional())
    .describe(
      "ClickHouse URL for clients' SQL, with name and password of a user who may only read the public views; only with CLICKHOUSE_URL; unset: no SQL",
    ),
  SQL_MAX_SECONDS: count(30, "Maximum time of a client's SQL query, seconds", 1, 600),
  SQL_MAX_MEMORY_MB: count(2_048, "Maximum memory of a client's SQL query, MiB", 64),
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
    errors.push(
      'SQL_CLICKHOUSE_URL is set without CLICKHOUSE_URL: unset it, the embedded ClickHouse needs no such user',
    );
  return errors;
}
