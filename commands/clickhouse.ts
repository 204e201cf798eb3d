import { runEmbeddedClickHouse } from '#engine/supervisor.ts';
import type { Config } from '#runtime/config.ts';
import { createLog } from '#runtime/log.ts';
import { shutdownSignal } from '#runtime/shutdown.ts';

export async function runClickHouse(config: Config): Promise<void> {
  const log = createLog('clickhouse', config.LOG_LEVEL);
  const { DATA_DIR: dataDir, BACKUP_DIR: backupsDir, CLICKHOUSE_PORT: port } = config;
  const onStart = () =>
    log.info({ event: 'clickhouse_started', url: `http://127.0.0.1:${port}` }, 'ClickHouse is starting');
  process.exitCode = await runEmbeddedClickHouse({
    dataDir,
    backupsDir,
    port,
    signal: shutdownSignal(),
    log,
    onStart,
  });
}
