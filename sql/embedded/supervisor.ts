/** Runs the embedded ClickHouse as a process of its own and starts it again after a crash. */
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { Log } from '#runtime/log.ts';
import { supervise } from '#runtime/supervise.ts';

export interface EmbeddedOptions {
  readonly dataDir: string;
  /** Directory of backups; default: backups in the data directory. */
  readonly backupsDir?: string | undefined;
  readonly host: string;
  readonly port: number;
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly onStart?: (child: ChildProcess) => void;
}

/** Resolves when the signal has fired and the engine has closed its files. */
export function runEmbeddedClickHouse(options: EmbeddedOptions): Promise<number> {
  return supervise({
    name: 'clickhouse',
    script: 'bin/embedded-clickhouse.mjs',
    args: [
      ...[join(options.dataDir, 'clickhouse'), options.host, String(options.port)],
      options.backupsDir ?? join(options.dataDir, 'backups'),
    ],
    env: { UV_THREADPOOL_SIZE: '28' }, // 16 running queries, 4 streams and room for the process's own work
    signal: options.signal,
    fatalCodes: [2],
    log: options.log,
    ...(options.onStart ? { onStart: options.onStart } : {}),
  });
}
