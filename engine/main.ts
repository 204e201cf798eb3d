/**
 * Process of the embedded ClickHouse. Arguments of bin/embedded-clickhouse.mjs: data directory, port, backup directory,
 * password file, directory for temporary files.
 */
import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describeTakenPort } from '#runtime/config-ports.ts';
import { opened, readPassword } from '#runtime/engine-password.ts';
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
/** Ends the process by SIGKILL. exit() would crash or hang, because it runs destructors while library threads run. */
const killed = () => void process.kill(process.pid, 'SIGKILL');
const stopTimes = { graceMs: 3_000, killMs: 4_000 };
const signal = shutdownSignal(killed);
for (const folder of [path, spoolDir]) mkdirSync(folder, { recursive: true });
const engine = await Engine.open({
  path: resolve(path),
  backupsPath: resolve(backups),
  maxRunning,
  maxStreaming,
  maxWaiting: 4096,
  onStuck: (sql) => {
    console.error(
      `embedded ClickHouse: a query of a client can't be stopped; restarting. Query: ${sql.slice(0, 1_000)}`,
    );
    killed();
  },
});
// files of a crashed process would fill the memory
for (const name of readdirSync(spoolDir)) rmSync(join(spoolDir, name), { recursive: true, force: true });
const probe = await engine.run({ sql: 'SELECT version()', format: 'TSV', database: 'default', settings: new Map() });
const version = probe.body.toString().trim();
const password = readPassword(passwordFile);
// without a parent process, the password comes from the file
if (process.send) {
  const isPublished = once(process, 'message');
  process.channel?.ref(); // keeps the process alive until the parent's message
  process.send(opened);
  await isPublished;
  process.channel?.unref();
}
const judge = new StatementJudge(engineParser(engine));
const server = createEngineServer({ engine, judge, version, password, spoolDir, maxQueryBytes: 4 << 20 });
server.listen(Number(port), host, () => process.send?.({ listening: Number(port) }));
server.on('error', (error) => {
  const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
  console.error(
    isTaken
      ? describeTakenPort({ name: 'CLICKHOUSE_PORT', host, port: Number(port) })
      : `embedded ClickHouse cannot listen on ${host}:${port}: ${error.message}`,
  );
  process.exitCode = isTaken ? 2 : 1;
  process.exit();
});
await aborted(signal);
const answered = new Promise((resolve) => server.close(resolve));
server.closeIdleConnections();
if (!(await engine.close(stopTimes)))
  console.error('embedded ClickHouse: some queries could not be stopped; killing the process');
const idle = setInterval(() => server.closeIdleConnections(), 20);
await Promise.race([answered, pause(500)]);
clearInterval(idle);
killed();
