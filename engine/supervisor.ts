import type { ChildProcess } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import {
  makePassword,
  passwordFileIn,
  portFileIn,
  publishEngine,
  published,
  readPassword,
} from '#runtime/engine-password.ts';
import type { Log } from '#runtime/log.ts';
import { isProcessAlive } from '#runtime/process-alive.ts';
import { says, supervise } from '#runtime/supervise.ts';

const askTimeoutMs = 2_000;

interface EmbeddedOptions {
  readonly dataDir: string;
  /** Backup directory (default: `backups` in the data directory). */
  readonly backupsDir?: string | undefined;
  readonly port: number;
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly onStart?: (child: ChildProcess) => void;
  readonly onLine?: ((line: string) => void) | undefined;
}

/**
 * Runs the embedded ClickHouse on 127.0.0.1 and restarts it after a crash.
 * @returns the exit code after the signal fired and the process ended; 2 if another engine uses the directory
 */
export async function runEmbeddedClickHouse(options: EmbeddedOptions): Promise<number> {
  const { dataDir, port, log } = options;
  const other = await findEngine(dataDir);
  if (other !== undefined) {
    log.error(
      { event: 'data_dir_taken' },
      `an embedded ClickHouse with this DATA_DIR already runs on port ${other}. If none runs there, delete ${portFileIn(dataDir)}`,
    );
    return 2;
  }
  const password = makePassword();
  const folders = [join(options.dataDir, 'clickhouse'), options.backupsDir ?? join(options.dataDir, 'backups')];
  for (const folder of folders) mkdirSync(folder, { recursive: true });
  const temporary = createFolder();
  const [spool, passwordFile] = [join(temporary, 'spool'), join(temporary, 'password')];
  const publish = createPublisher(options, password);
  const [data = '', backups = ''] = folders;
  const code = await supervise({
    name: 'clickhouse',
    script: 'bin/embedded-clickhouse.mjs',
    args: [data, String(port), backups, passwordFile, spool],
    env: { UV_THREADPOOL_SIZE: '32' }, // threads: 16 queries, 4 streams, 4 statements of sql_user, 8 other tasks
    signal: options.signal,
    fatalCodes: [2],
    log: options.log,
    onLine: options.onLine,
    prepare: () => {
      // create it again: the system removes folders of users that log out (RemoveIPC)
      mkdirSync(spool, { recursive: true, mode: 0o700 });
      if (!existsSync(passwordFile)) writeFileSync(passwordFile, password, { mode: 0o600 });
    },
    onStart: (child) => {
      child.on('message', (message) => says(message, 'opened') && publish(child));
      options.onStart?.(child);
    },
  });
  rmSync(temporary, { recursive: true, force: true });
  return code;
}

/** Returns a function that publishes the engine once, before the process accepts connections. */
function createPublisher({ dataDir, port, log }: EmbeddedOptions, password: string): (child: ChildProcess) => void {
  let isPublished = false;
  return (child) => {
    try {
      if (!isPublished) publishEngine(dataDir, { password, port });
      isPublished = true;
      child.send(published);
    } catch (error) {
      log.error({ event: 'engine_not_published', error: String(error) });
      child.kill('SIGKILL'); // the supervisor then restarts it
    }
  };
}

/**
 * Errors for a wrong password: the engine on this port belongs to another directory. @source ClickHouse, ErrorCodes.cpp
 */
const passwordErrors: ReadonlySet<string> = new Set(['193', '194', '516']);

/**
 * Returns the port of the engine that already runs in the directory: it accepts the password, or is too busy to answer
 * in time. A new password would lock out its clients.
 */
async function findEngine(dataDir: string): Promise<string | undefined> {
  let port: string | undefined;
  try {
    port = readFileSync(portFileIn(dataDir), 'utf8');
    const headers = { 'x-clickhouse-key': readPassword(passwordFileIn(dataDir)) };
    const signal = AbortSignal.timeout(askTimeoutMs);
    const reply = await request(`http://127.0.0.1:${port}/?query=SELECT%201`, { headers, signal });
    const isEngine = (await reply.body.text()) === '1\n';
    if (reply.statusCode === 200) return isEngine ? port : undefined;
    const code = reply.headers['x-clickhouse-exception-code'];
    return code === undefined || passwordErrors.has(String(code)) ? undefined : port;
  } catch (error) {
    if ((error as Error).name === 'TimeoutError') return port;
    return undefined; // no engine has started here, or it has ended
  }
}

/** Minimum free space: the rows of several inserts must fit. In containers, /dev/shm has 64 MiB by default. */
const minSpoolBytes = 512 << 20;

function hasRoom(path: string): boolean {
  if (!existsSync(path)) return false;
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize >= minSpoolBytes;
}

function removeIfOwn(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch (error) {
    if (!['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/**
 * Creates a directory for temporary files, in memory if /dev/shm has room, readable only by its owner. Also removes
 * directories of ended processes.
 */
function createFolder(): string {
  for (const base of ['/dev/shm', tmpdir()].filter((path) => existsSync(path)))
    for (const name of readdirSync(base)) {
      const owner = /^cordscan-spool-(\d+)-/.exec(name)?.[1];
      if (owner && !isProcessAlive(Number(owner))) removeIfOwn(join(base, name));
    }
  const base = hasRoom('/dev/shm') ? '/dev/shm' : tmpdir();
  return mkdtempSync(join(base, `cordscan-spool-${process.pid}-`));
}
