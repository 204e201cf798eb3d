/** Runs the embedded ClickHouse as a process of its own and starts it again after a crash. */
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { makePassword, passwordFileIn } from '#runtime/engine-password.ts';
import type { Log } from '#runtime/log.ts';
import { supervise } from '#runtime/supervise.ts';

export interface EmbeddedOptions {
  readonly dataDir: string;
  /** Directory of backups; default: backups in the data directory. */
  readonly backupsDir?: string | undefined;
  readonly port: number;
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly onStart?: (child: ChildProcess) => void;
}

/** Listens on 127.0.0.1 alone, with a new password. Resolves when the signal has fired and the engine has closed its files. */
export function runEmbeddedClickHouse(options: EmbeddedOptions): Promise<number> {
  makePassword(options.dataDir);
  return supervise({
    name: 'clickhouse',
    script: 'bin/embedded-clickhouse.mjs',
    args: [
      ...[join(options.dataDir, 'clickhouse'), String(options.port)],
      ...[options.backupsDir ?? join(options.dataDir, 'backups'), passwordFileIn(options.dataDir)],
    ],
    env: { UV_THREADPOOL_SIZE: '28' }, // 16 running queries, 4 streams and room for the process's own work
    signal: options.signal,
    fatalCodes: [2],
    log: options.log,
    ...(options.onStart ? { onStart: options.onStart } : {}),
  });
}
