import pRetry, { type Options } from 'p-retry';
import { Cordscan } from '#client/index.ts';
import { ClickHouseTarget } from '#mirror/clickhouse-target.ts';
import { compareWithService, followChain } from '#mirror/follow.ts';
import { ParquetTarget } from '#mirror/parquet-target.ts';
import { PostgresTarget } from '#mirror/postgres-target.ts';
import type { Target } from '#mirror/target.ts';
import type { Config } from '#runtime/config.ts';
import { createLog, type Log } from '#runtime/log.ts';
import { toOrigin } from '#runtime/origins.ts';
import { pause, shutdownSignal } from '#runtime/shutdown.ts';
import { Database } from '#sql/client.ts';

export interface MirrorOptions {
  readonly to: string;
  readonly url?: string;
  readonly key?: string;
  readonly once?: boolean;
  readonly check?: boolean;
}

const [minPauseMs, maxPauseMs] = [1_000, 30_000];
/** A check can miss a file that another process, following the chain, just replaced by a larger one. */
const checkRetries: Options = {
  retries: 4,
  minTimeout: 0,
  shouldRetry: ({ error }) => (error as NodeJS.ErrnoException).code === 'ENOENT',
};
/** Minimum time between log lines about stored blocks, ms. */
const tellMs = 1_000;

/** Copies the chain and follows it until SIGTERM. Exit code 1 if a check finds a difference. */
export async function runMirror(config: Config, options: MirrorOptions): Promise<void> {
  const signal = shutdownSignal();
  const log = createLog('mirror', config.LOG_LEVEL);
  const origin = options.url ?? toOrigin(config.HOST, config.PORT);
  const cordscan = new Cordscan(origin, options.key === undefined ? {} : { apiKey: options.key });
  const open = () => openTarget(options.to, log);
  if (!options.check) {
    const last = await keepFollowing(cordscan, open, { follows: !options.once, signal, log });
    if (last === undefined) return;
    if (options.once && signal.aborted) {
      console.log(`stopped: the copy reaches block ${last}, not the newest one`);
      process.exitCode = 1;
    } else console.log(`the copy is complete up to block ${last}`);
    return;
  }
  const checkOnce = async () => {
    const target = await openTarget(options.to, log, false);
    await check(cordscan, target).finally(() => target.close());
  };
  await pRetry(checkOnce, checkRetries);
}

/**
 * Follows the chain until the signal fires. After an error, opens the target again, because lost database connections
 * do not recover.
 * @returns the last block of the copy, or `none`; undefined if the target does not answer
 * @throws the first error if `follows` is false, or if the target can't be opened at the start
 */
export async function keepFollowing(
  cordscan: Cordscan,
  open: () => Promise<Target>,
  { follows, signal, log }: { follows: boolean; signal: AbortSignal; log: Log },
): Promise<string | undefined> {
  let target: Target | undefined = await open();
  let [toldAt, pauseMs] = [0, minPauseMs];
  const onChange = (text: string) => {
    pauseMs = minPauseMs;
    if (Date.now() - toldAt < tellMs) return;
    toldAt = Date.now();
    log.info({ event: 'mirrored' }, text);
  };
  const onRetry = (error: unknown) =>
    log.warn({ event: 'mirror_waits', error: String(error) }, 'the changes were interrupted, the copy continues');
  while (!signal.aborted) {
    try {
      target ??= await open();
      await followChain(cordscan, target, { follows, signal, onChange, onRetry });
      break;
    } catch (error) {
      if (signal.aborted) break;
      await target?.close().catch(() => undefined);
      target = undefined;
      const isFinal = (error as { code?: string }).code === 'snapshot_invalidated';
      if (!follows || isFinal) throw error;
      log.warn({ event: 'mirror_error', error: String(error) }, `the copy continues in ${pauseMs / 1_000} s`);
      await pause(pauseMs, signal);
      pauseMs = Math.min(2 * pauseMs, maxPauseMs);
    }
  }
  if (!target) return undefined;
  const position = await target.position();
  await target.close();
  return position?.split('-')[0] ?? 'none';
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

/** @param repairs false: keep incomplete data of killed writes */
export function openTarget(to: string, log: Log, repairs = true): Promise<Target> {
  const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(to) ?? [];
  if (scheme === undefined) return ParquetTarget.open(to, undefined, repairs);
  if (/^postgres(ql)?$/i.test(scheme)) return PostgresTarget.open(to);
  if (!/^clickhouses?$/i.test(scheme))
    throw new Error(
      `--to ${scheme}://… is unknown: set it to a directory, or to a URL that begins with postgres:// or clickhouse://`,
    );
  const url = new URL(to.replace(/^clickhouse/i, 'http'));
  const database = url.pathname.slice(1);
  if (!/^\w+$/.test(database)) throw new Error('--to clickhouse://…: add the name of an existing database to the URL');
  url.pathname = '';
  return ClickHouseTarget.open(new Database({ url: url.href, database, log, waitMs: 30_000 }));
}
