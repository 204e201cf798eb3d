import { type BackupDeps, BackupError, backUp, restore } from '#pipeline/store/backup.ts';
import { rederive, reopenRollups } from '#pipeline/store/rederive.ts';
import type { Config } from '#runtime/config.ts';
import { createLog } from '#runtime/log.ts';
import { ProgressLine } from '#runtime/progress-line.ts';
import { Database } from '#sql/client.ts';
import { ClaimLostError } from '#sql/store-error.ts';

/** Request timeout, ms (7 days): one statement copies the entire database. */
const requestTimeoutMs = 7 * 86_400_000;

/**
 * Runs a command whose connections fail at once if the server is missing. Prints expected errors without a stack and
 * sets exit code 1.
 */
async function withDatabases(config: Config, name: string, work: (deps: BackupDeps) => Promise<void>): Promise<void> {
  if (config.CLICKHOUSE_CLUSTER !== undefined) {
    // on a cluster, a backup would contain only one shard, and rederive can't exchange tables
    console.error(`${name} does not work with CLICKHOUSE_CLUSTER: use the tools of ClickHouse for each server`);
    process.exitCode = 1;
    return;
  }
  const log = createLog(name, config.LOG_LEVEL);
  const open = (database: string) =>
    new Database({
      url: config.clickhouseUrl,
      passwordFile: config.clickhousePasswordFile,
      database,
      log,
      waitMs: -1,
      requestTimeoutMs,
    });
  const [database, admin] = [open(config.CLICKHOUSE_DATABASE), open('default')];
  try {
    await work({ database, admin, log });
  } catch (error) {
    if (error instanceof ClaimLostError) console.error('another process has taken over: run this command again');
    else if (error instanceof BackupError || error instanceof RangeError) console.error(error.message);
    else throw error;
    process.exitCode = 1;
  } finally {
    await database.close();
    await admin.close();
  }
}

export function runBackup(config: Config, name: string): Promise<void> {
  return withDatabases(config, 'backup', async (deps) => {
    const startedAt = Date.now();
    const block = await backUp(deps, name);
    const seconds = Math.round((Date.now() - startedAt) / 100) / 10;
    console.log(`backup ${name} contains the chain at least up to block ${block}; it took ${seconds} s`);
  });
}

export function runRestore(
  config: Config,
  name: string,
  { unchecked = false }: { unchecked?: boolean },
): Promise<void> {
  return withDatabases(config, 'restore', async (deps) => {
    const block = await restore({ ...deps, leaseMs: 1_000 * config.LEASE_SECONDS }, name, !unchecked);
    console.log(
      `database ${config.CLICKHOUSE_DATABASE} contains the chain up to block ${block}; the pipeline will fetch later blocks`,
    );
  });
}

export function runRederive(config: Config, table: string): Promise<void> {
  return withDatabases(config, 'rederive', async (opened) => {
    const deps = { ...opened, leaseMs: 1_000 * config.LEASE_SECONDS };
    if (table === 'rollups') {
      await reopenRollups(deps);
      return console.log('all precomputed sums are deleted; the pipeline will rebuild them');
    }
    const line = new ProgressLine(`rederive ${table}`);
    const { before, after } = await rederive(deps, table, (share) => line.update(share, ''));
    line.finish();
    console.log(`${table} is rebuilt: ${before} rows before, ${after} after`);
  });
}
