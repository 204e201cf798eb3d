/**
 * Process of the embedded ClickHouse: `node bin/embedded-clickhouse.mjs <data directory> <port> <directory of backups> <file of the password>`.
 * Started and restarted by the supervisor; ends when its parent is gone.
 */
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readPassword } from '#runtime/engine-password.ts';
import { aborted, pause, shutdownSignal } from '#runtime/shutdown.ts';
import { Engine } from './engine.ts';
import { createEngineServer } from './http-server.ts';

const maxRunning = 16;
const maxStreaming = 4;

const [
  path = './data/clickhouse',
  port = '8123',
  backups = './data/backups',
  passwordFile = './data/clickhouse-password',
] = process.argv.slice(2);
const host = '127.0.0.1';
/** Ends the process without exit(): that runs the destructors of the library under its own threads, which crashes or hangs. */
const killed = () => void process.kill(process.pid, 'SIGKILL');
/** What running queries are given to end by themselves, and then to be ended, ms. */
const stopTimes = { graceMs: 3_000, killMs: 4_000 };
const signal = shutdownSignal(killed);
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
const password = readPassword(passwordFile);
const server = createEngineServer({ engine, version, password, spoolDir, maxQueryBytes: 4 << 20 });
server.listen(Number(port), host, () => process.send?.({ listening: Number(port) }));
server.on('error', (error) => {
  const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
  console.error(
    isTaken
      ? `CLICKHOUSE_PORT: ${host}:${port} is taken by another process`
      : `embedded ClickHouse cannot listen on ${host}:${port}: ${error.message}`,
  );
  process.exitCode = isTaken ? 2 : 1;
  process.exit();
});
await aborted(signal);
const answered = new Promise((resolve) => server.close(resolve));
server.closeIdleConnections();
if (!(await engine.close(stopTimes))) console.error('embedded ClickHouse: queries that could not be ended are cut off');
const idle = setInterval(() => server.closeIdleConnections(), 20);
await Promise.race([answered, pause(500)]); // what is done is told
clearInterval(idle);
rmSync(spoolDir, { recursive: true, force: true });
killed();

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
