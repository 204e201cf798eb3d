import { silentLog } from '#runtime/log.ts';
import type { Check } from '#runtime/metrics/readiness.ts';
import { Database } from './client.ts';
import { getSchemaProblem } from './migrate.ts';
import type { StoreLocation } from './open-database.ts';

export interface StoreChecks {
  readonly database: Check;
  readonly schema: Check;
}

const requestTimeoutMs = 1_500;

/** Creates health checks with a separate connection without retries. */
export function storeChecks(config: StoreLocation): StoreChecks & {
  close(): Promise<void>;
} {
  const database = new Database({
    url: config.clickhouseUrl,
    passwordFile: config.clickhousePasswordFile,
    database: config.CLICKHOUSE_DATABASE,
    log: silentLog,
    waitMs: -1,
    maxOpenConnections: 2,
    requestTimeoutMs,
  });
  return { ...createStoreChecks(database), close: () => database.close() };
}

export function createStoreChecks(database: Database): StoreChecks {
  return {
    database: () =>
      database.command('SELECT 1').then(
        () => undefined,
        () => 'it does not answer',
      ),
    schema: () => getSchemaProblem(database).catch(() => 'it cannot be read'),
  };
}
