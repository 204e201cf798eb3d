/**
 * Process that stores a chain in the database: `<rpc url> <clickhouse url> <database>`; without an RPC URL (`-`), from
 * RAW_CACHE_DIR. It reports its times, and waits to be killed.
 */
import { RpcClient } from '#chain/rpc/rpc-client.ts';
import { createEncoder } from '#pipeline/encode/encoder-threads.ts';
import { pipelineSettings } from '#pipeline/main.ts';
import { PipelineMetrics } from '#pipeline/metrics.ts';
import { openCachedChain } from '#pipeline/raw-cache.ts';
import { PipelineReport } from '#pipeline/report.ts';
import { runPipeline } from '#pipeline/run-pipeline.ts';
import { readConfig } from '#runtime/config.ts';
import { createLog } from '#runtime/log.ts';
import { openDatabase } from '#sql/open-database.ts';
import { mainThreadSeconds } from '../measure/statistics.ts';

const [rpcUrl, clickhouseUrl, name] = process.argv.slice(2);
const config = readConfig({
  ...process.env,
  RPC_URL: rpcUrl === '-' ? undefined : rpcUrl,
  CLICKHOUSE_URL: clickhouseUrl,
  CLICKHOUSE_DATABASE: name,
});
const log = createLog('bench', 'warn');
const startMs = process.uptime() * 1000;
const database = await openDatabase(config, { log, waitMs: 60_000 });
const client =
  rpcUrl === '-'
    ? (await openCachedChain(config)).client
    : new RpcClient({ urls: config.rpcUrls, timeoutMs: 20_000, maxInFlight: 16 });
const [before, mainBefore] = [process.cpuUsage(), mainThreadSeconds()];
const startedAt = performance.now();
await runPipeline(
  {
    client,
    database,
    log,
    signal: new AbortController().signal,
    settings: pipelineSettings(config),
    metrics: new PipelineMetrics(),
    report: new PipelineReport(),
    encoder: createEncoder(config.encoderThreads, { log }),
  },
  { backfillOnly: true },
);
const wallMs = performance.now() - startedAt;
const cpu = process.cpuUsage(before);
process.send?.({
  ...{ wallMs, cpuSeconds: (cpu.user + cpu.system) / 1e6, startMs },
  mainSeconds: mainThreadSeconds() - mainBefore,
});
setInterval(() => {}, 1_000);
