import { Cordscan } from '#client/index.ts';
import { ClickHouseTarget } from '#mirror/clickhouse-target.ts';
import { compareWithService, followChain } from '#mirror/follow.ts';
import { ParquetTarget } from '#mirror/parquet-target.ts';
import { PostgresTarget } from '#mirror/postgres-target.ts';
import type { Target } from '#mirror/target.ts';
import type { Config } from '#runtime/config.ts';
import { createLog, type Log } from '#runtime/log.ts';
import { pause, shutdownSignal } from '#runtime/shutdown.ts';
import { Database } from '#sql/client.ts';

export interface MirrorOptions {
  readonly to: string;
  readonly url?: string;
  readonly key?: string;
  readonly once?: boolean;
  readonly check?: boolean;
}

const maxPauseMs = 30_000;
/** Minimum time between two log lines about stored blocks, ms. */
const tellMs = 1_000;

/** Copies the chain and follows it until SIGTERM. Sets exit code 1 if a check finds a difference. */
export async function runMirror(config: Config, options: MirrorOptions): Promise<void> {
  const signal = shutdownSignal();
  const log = createLog('mirror', config.LOG_LEVEL);
  const origin = options.url ?? `http://${config.HOST}:${config.PORT}`;
  const cordscan = new Cordscan(origin, options.key === undefined ? {} : { apiKey: options.key });
  const target = await openTarget(options.to, log);
  try {
    if (options.check) return await check(cordscan, target);
    await keepFollowing(cordscan, target, { follows: !options.once, signal, log });
    console.log(`the copy is complete up to block ${(await target.position())?.split('-')[0] ?? 'none'}`);
  } finally {
    await target.close();
  }
}

/** Follows the chain. Retries after errors, except with --once. */
async function keepFollowing(
  cordscan: Cordscan,
  target: Target,
  { follows, signal, log }: { follows: boolean; signal: AbortSignal; log: Log },
): Promise<void> {
  let toldAt = 0;
  const onChange = (text: string) => {
    if (Date.now() - toldAt < tellMs) return;
    toldAt = Date.now();
    log.info({ event: 'mirrored' }, text);
  };
  for (let pauseMs = 1_000; !signal.aborted; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
    try {
      await followChain(cordscan, target, { follows, signal, onChange });
      return;
    } catch (error) {
      if (signal.aborted) return;
      const isFinal = (error as { code?: string }).code === 'snapshot_invalidated';
      if (!follows || isFinal) throw error;
      log.warn({ event: 'mirror_fault', error: String(error) }, `the copy continues in ${pauseMs / 1_000} s`);
      await pause(pauseMs, signal);
    }
  }
}

async function check(cordscan: Cordscan, target: Target): Promise<void> {
  const { toBlock, holding, differing } = await compareWithService(cordscan, target);
  for (const [kind, { rows, digest }] of Object.entries(holding.tables)) {
    const isEqual = !differing.some((other) => other === kind);
    console.log(`${kind}: ${rows} rows, digest ${digest}, ${isEqual ? 'equal' : 'DIFFERENT'}`);
  }
  const from = holding.blocks?.from;
  console.log(from === undefined ? 'the copy has no finalized block' : `finalized blocks ${from} to ${toBlock}`);
  process.exitCode = differing.length > 0 || from === undefined ? 1 : 0;
}

function openTarget(to: string, log: Log): Promise<Target> {
  if (/^postgres(ql)?:/.test(to)) return PostgresTarget.open(to);
  if (!/^clickhouses?:/.test(to)) return ParquetTarget.open(to);
  const url = new URL(to.replace(/^clickhouse/, 'http'));
  const database = url.pathname.slice(1);
  if (!/^\w+$/.test(database)) throw new Error('--to clickhouse://…: add the name of an existing database to the URL');
  url.pathname = '';
  return ClickHouseTarget.open(new Database({ url: url.href, database, log, waitMs: 30_000 }));
}
