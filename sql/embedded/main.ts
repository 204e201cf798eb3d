/**
 * Process of the embedded ClickHouse: `node bin/embedded-clickhouse.mjs <data directory> <host> <port> <directory of backups>`.
 * Started and restarted by the supervisor; ends when its parent is gone.
 */
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { aborted, shutdownSignal } from '#runtime/shutdown.ts';
import { Engine } from './engine.ts';
import { createEngineServer } from './http-server.ts';

const maxRunning = 16;
const maxStreaming = 4;

const [path = './data/clickhouse', host = '127.0.0.1', port = '8123', backups = './data/backups'] =
  process.argv.slice(2);
const signal = shutdownSignal();
mkdirSync(path, { recursive: true });
const spoolDir = createSpoolDir();
const engine = new Engine({
  path: resolve(path),
  backupsPath: resolve(backups),
  maxRunning,
  maxStreaming,
  maxWaiting: 4096,
});
const probe = await engine.run({ sql: 'SELECT version()', format: 'TSV', database: 'default', settings: new Map() });
const version = probe.body.toString().trim();
const server = createEngineServer({ engine, version, spoolDir, maxQueryBytes: 4 << 20 });
server.listen(Number(port), host, () => process.send?.({ listening: Number(port) }));
server.on('error', (error) => {
  console.error(`embedded ClickHouse cannot listen on ${host}:${port}: ${error.message}`);
  process.exit(1);
});
await aborted(signal);
server.close();
server.closeIdleConnections();
await engine.close();
rmSync(spoolDir, { recursive: true, force: true });
process.exit(0);

/** Rows on their way in lie in memory where the machine has /dev/shm; what a killed process left is removed. */
function createSpoolDir(): string {
  const base = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
  for (const name of readdirSync(base)) {
    const owner = /^cordscan-spool-(\d+)$/.exec(name)?.[1];
    if (owner && !isAlive(Number(owner))) rmSync(join(base, name), { recursive: true, force: true });
  }
  const dir = join(base, `cordscan-spool-${process.pid}`);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  return dir;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
