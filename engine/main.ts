/**
 * Process of the embedded ClickHouse: `node bin/embedded-clickhouse.mjs <data directory> <port> <directory of backups> <file of the password> <directory of rows on their way in>`.
 * Started and restarted by the supervisor; ends when its parent is gone.
 */
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { readPassword } from '#runtime/engine-password.ts';
import { aborted, pause, shutdownSignal } from '#runtime/shutdown.ts';
import { Engine } from './engine.ts';
import { engineParser } from './engine-parser.ts';
import { createEngineServer } from './http-server.ts';
import { StatementJudge } from './judge-statement.ts';

const maxRunning = 16;
const maxStreaming = 4;

const [
  path = './data/clickhouse',
  port = '8123',
  backups = './data/backups',
  passwordFile = './data/clickhouse-password',
  spoolDir = './data/spool',
] = process.argv.slice(2);
const host = '127.0.0.1';
/** Ends the process without exit(): that runs the destructors of the library under its own threads, which crashes or hangs. */
const killed = () => void process.kill(process.pid, 'SIGKILL');
/** What running queries are given to end by themselves, and then to be ended, ms. */
const stopTimes = { graceMs: 3_000, killMs: 4_000 };
const signal = shutdownSignal(killed);
for (const folder of [path, spoolDir]) mkdirSync(folder, { recursive: true });
const engine = await Engine.open({
  path: resolve(path),
  backupsPath: resolve(backups),
  maxRunning,
  maxStreaming,
  maxWaiting: 4096,
});
const probe = await engine.run({ sql: 'SELECT version()', format: 'TSV', database: 'default', settings: new Map() });
const version = probe.body.toString().trim();
const password = readPassword(passwordFile);
const judge = new StatementJudge(engineParser(engine));
const server = createEngineServer({ engine, judge, version, password, spoolDir, maxQueryBytes: 4 << 20 });
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
killed();
