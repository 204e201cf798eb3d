/** Settings that the client sends with its statements. @source https://clickhouse.com/docs/operations/settings */
import type { ClickHouseSettings } from '@clickhouse/client';
import type { Statement } from './compile/statements.ts';

type Budgeted = Pick<Statement, 'name'> & Partial<Pick<Statement, 'budget'>>;

/**
 * Without Bloom filters, which would double the time of a Parquet export. Small row groups start its stream sooner.
 * @source https://clickhouse.com/docs/interfaces/formats/Parquet, settings
 */
export const parquetSettings = {
  output_format_parquet_compression_method: 'lz4',
  output_format_parquet_write_bloom_filter: 0,
  output_format_parquet_row_group_size: '200000',
} as const;

/**
 * Makes the server end a statement whose client disconnects. This needs `readonly`. The value 1 would refuse statements
 * with SETTINGS. @source ClickHouse docs, Permissions for queries
 */
export const cancellable = { readonly: '2', cancel_http_readonly_queries_on_client_close: 1 } as const;

/** Sets no time limit, because ClickHouse would continue some table changes after the limit. */
export function writeSettings({ name, budget }: Budgeted): ClickHouseSettings {
  return { log_comment: name, ...(budget ? { max_memory_usage: String(budget.maxMemoryBytes) } : {}) };
}

export function budgetSettings({ name, budget }: Statement): ClickHouseSettings {
  return {
    ...writeSettings({ name, budget }),
    max_execution_time: budget.maxSeconds,
    max_result_rows: String(budget.maxResultRows),
    ...(budget.maxResultBytes === undefined ? {} : { max_result_bytes: String(budget.maxResultBytes) }),
    ...(budget.isHighPriority ? { priority: '1' } : {}),
  };
}

/**
 * Overrides settings of the server's profile that change results. With insert deduplication, a server could drop the
 * repeated insert of rows that were deleted.
 */
export const serverSettings = {
  join_use_nulls: 0,
  transform_null_in: 0,
  aggregate_functions_null_for_empty: 0,
  final: 0,
  insert_deduplicate: 0,
} as const;
