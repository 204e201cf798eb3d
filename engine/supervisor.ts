/** Runs the embedded ClickHouse as a process of its own and starts it again after a crash. */
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePassword, passwordFileIn } from '#runtime/engine-password.ts';
import type { Log } from '#runtime/log.ts';
import { supervise } from '#runtime/supervise.ts';

interface EmbeddedOptions {
  readonly dataDir: string;
  /** Directory of backups; default: backups in the data directory. */
  readonly backupsDir?: string | undefined;
  readonly port: number;
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly onStart?: (child: ChildProcess) => void;
}

/** Listens on 127.0.0.1 alone, with a new password. Resolves when the signal has fired and the engine has closed its files. */
export async function runEmbeddedClickHouse(options: EmbeddedOptions): Promise<number> {
  makePassword(options.dataDir);
  const folders = [join(options.dataDir, 'clickhouse'), options.backupsDir ?? join(options.dataDir, 'backups')];
  for (const folder of folders) mkdirSync(folder, { recursive: true });
  const spool = createSpool();
  const [data = '', backups = ''] = folders;
  const code = await supervise({
    name: 'clickhouse',
    script: 'bin/embedded-clickhouse.mjs',
    args: [data, String(options.port), backups, passwordFileIn(options.dataDir), spool],
    env: { UV_THREADPOOL_SIZE: '28' }, // 16 running queries, 4 streams and room for the process's own work
    signal: options.signal,
    fatalCodes: [2],
    log: options.log,
    ...(options.onStart ? { onStart: options.onStart } : {}),
  });
  rmSync(spool, { recursive: true, force: true });
  return code;
}

/** Rows on their way in lie in memory where the machine has /dev/shm; what a killed process left is removed. */
function createSpool(): string {
  const base = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
  for (const name of readdirSync(base)) {
    const owner = /^cordscan-spool-(\d+)-/.exec(name)?.[1];
    if (owner && !isAlive(Number(owner))) rmSync(join(base, name), { recursive: true, force: true });
  }
  return mkdtempSync(join(base, `cordscan-spool-${process.pid}-`));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
