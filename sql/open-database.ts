import type { Config } from '#runtime/config.ts';
import type { Log } from '#runtime/log.ts';
import { Database, type StoreObserver } from './client.ts';
import { migrate } from './migrate.ts';

export type StoreLocation = Pick<Config, 'clickhouseUrl' | 'CLICKHOUSE_DATABASE'> &
  Partial<Pick<Config, 'clickhousePasswordFile'>>;

interface OpenOptions {
  readonly log: Log;
  /** Time to wait for an unavailable database, ms. */
  readonly waitMs: number;
  readonly signal?: AbortSignal;
  /** Default: true. */
  readonly migrates?: boolean;
  readonly observer?: StoreObserver;
}

/** @throws StoreError if the database stays unavailable for `waitMs` */
export async function openDatabase(
  config: StoreLocation & Partial<Pick<Config, 'CLICKHOUSE_CLUSTER'>>,
  options: OpenOptions,
): Promise<Database> {
  const { log, waitMs, signal, observer } = options;
  const cluster = config.CLICKHOUSE_CLUSTER;
  const common = {
    url: config.clickhouseUrl,
    passwordFile: config.clickhousePasswordFile,
    cluster,
    log,
    waitMs,
    ...(signal ? { signal } : {}),
    ...(observer ? { observer } : {}),
  };
  const database = new Database({ ...common, database: config.CLICKHOUSE_DATABASE });
  if (options.migrates === false) return database;
  const admin = new Database({ ...common, database: 'default' });
  await migrate(admin, database);
  await admin.close();
  return database;
}
