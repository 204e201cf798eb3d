/** Readiness of the database, as the processes that read or write it see it. */
import { silentLog } from '#runtime/log.ts';
import type { Check } from '#runtime/metrics/readiness.ts';
import { Database } from './client.ts';
import { schemaFault } from './migrate.ts';
import type { StoreLocation } from './open-database.ts';

export interface StoreChecks {
  /** The database answers a statement. */
  readonly database: Check;
  /** Every migration of this program is applied, as it is here; a newer schema fits too, unless it took away what this program reads. */
  readonly schema: Check;
}

/** A call of a check may take so long, ms. */
const requestTimeoutMs = 1_500;

/** Checks over a connection of their own, that never waits and never tries again. */
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
  return { ...checksOf(database), close: () => database.close() };
}

/** The same over a connection that exists. */
export function checksOf(database: Database): StoreChecks {
  return {
    database: () =>
      database.command('SELECT 1').then(
        () => undefined,
        () => 'it does not answer',
      ),
    schema: () => schemaFault(database).catch(() => 'it cannot be read'),
  };
}
