/** `cordscan start`: runs every process of the service on this machine and restarts those that die. */
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { sampleFiles } from '#devchain/sample-documents.ts';
import { devTestimonyContract } from '#devchain/testimony.ts';
import { runEmbeddedClickHouse } from '#engine/supervisor.ts';
import { type Config, ConfigError } from '#runtime/config.ts';
import { getPorts } from '#runtime/config-ports.ts';
import { getFirst } from '#runtime/lists.ts';
import { createLog, type Log } from '#runtime/log.ts';
import { aborted, shutdownSignal } from '#runtime/shutdown.ts';
import { type ChildSpec, supervise } from '#runtime/supervise.ts';
import { forgetEarlierDevChain } from './forget-dev-chain.ts';
import { isPortTaken } from './ports.ts';

export interface StartOptions {
  /** Length of the dev chain history, blocks. */
  readonly blocks: number;
}

/** Exit code after which a child is not restarted: invalid configuration or wrong chain. */
const invalidConfiguration = 2;

/** Runs until SIGTERM. Stops pipeline, API and edge before the ClickHouse and dev chain that they depend on. */
export async function runStart(config: Config, options: StartOptions): Promise<void> {
  await assertFree(config);
  const stop = new AbortController();
  const signal = AbortSignal.any([shutdownSignal(), stop.signal]);
  const dependenciesStop = new AbortController();
  const log = createLog('start', config.LOG_LEVEL);
  const fatal = (code: number) => {
    if (code !== 0) stop.abort();
    return code;
  };
  const run = async (spec: Pick<ChildSpec, 'name' | 'args' | 'env' | 'signal' | 'onStart'>) => {
    return fatal(await supervise({ ...spec, script: 'bin/cordscan.mjs', log, fatalCodes: [invalidConfiguration] }));
  };
  const dependencies: Promise<number>[] = [];
  if (!config.CLICKHOUSE_URL) {
    const start = (onStart: (child: ChildProcess) => void) =>
      dependencies.push(startClickHouse(config, log, dependenciesStop.signal, onStart).then(fatal));
    await started(start, signal);
  }
  if (!config.RPC_URL) {
    const args = ['devchain', '--blocks', String(options.blocks), '--documents', documentsDir(config)];
    const start = (onStart: (child: ChildProcess) => void) =>
      dependencies.push(run({ name: 'devchain', args, signal: dependenciesStop.signal, onStart }));
    await started(start, signal);
  }
  if (!config.RPC_URL && !config.CLICKHOUSE_URL && !signal.aborted) await forgetEarlierDevChain(config, log);
  const env = config.RPC_URL ? {} : devSources(config);
  if (signal.aborted) return process.exit(await stopAll(dependencies, dependenciesStop));
  const services: Promise<number>[] = [];
  for (const name of ['index', 'edge']) services.push(run({ name, args: [name], env, signal }));
  const startApi = (onStart: (child: ChildProcess) => void) =>
    services.push(run({ name: 'api', args: ['api'], env, signal, onStart }));
  await started(startApi, signal);
  if (!signal.aborted) console.error(screen(config));
  const serviceCodes = await Promise.all(services);
  dependenciesStop.abort();
  const codes = [...serviceCodes, ...(await Promise.all(dependencies))];
  process.exit(Math.max(...codes));
}

const documentsDir = ({ DATA_DIR }: Config) => join(DATA_DIR, 'dev-chain');

/** Returns the dev chain's documents and contract as defaults for unset variables. */
function devSources(config: Config): Record<string, string> {
  const dir = documentsDir(config);
  return {
    REGISTRY_URL: config.REGISTRY_URL ?? join(dir, sampleFiles.manifest),
    ECOSYSTEM_DIRECTORY_URL: config.ECOSYSTEM_DIRECTORY_URL ?? join(dir, sampleFiles.directory),
    AGENT_TESTIMONY_CONTRACT: config.AGENT_TESTIMONY_CONTRACT ?? devTestimonyContract(),
    VALIDATORS_METHOD: config.VALIDATORS_METHOD ?? 'x_getValidators',
    DEV_FEED: config.DEV_FEED ?? join(dir, sampleFiles.feed),
  };
}

function startClickHouse(
  config: Config,
  log: Log,
  signal: AbortSignal,
  onStart: (child: ChildProcess) => void,
): Promise<number> {
  return runEmbeddedClickHouse({
    dataDir: config.DATA_DIR,
    backupsDir: config.BACKUP_DIR,
    port: config.CLICKHOUSE_PORT,
    signal,
    log,
    onStart,
  });
}

/** Resolves when the child reports that it listens, or the signal fires. */
function started(start: (onStart: (child: ChildProcess) => void) => unknown, signal: AbortSignal): Promise<void> {
  const listening = new Promise<void>((resolve) => {
    start((child) => child.on('message', () => resolve()));
  });
  return Promise.race([listening, aborted(signal)]);
}

async function stopAll(children: readonly Promise<number>[], stop: AbortController): Promise<number> {
  stop.abort();
  return Math.max(0, ...(await Promise.all(children)));
}

/** @throws ConfigError naming each port in use */
async function assertFree(config: Config): Promise<void> {
  const errors: string[] = [];
  for (const { name, host, port } of getPorts(config))
    if (await isPortTaken(port, host)) errors.push(`${name}: ${host}:${port} is taken by another process`);
  if (errors.length > 0) throw new ConfigError(errors);
}

/** Returns the start screen: the URL of each part. */
function screen(config: Config): string {
  const origin = `http://${config.HOST}:${config.PORT}`;
  const url = (text: string) => new URL(text).host;
  return `
  Cordscan, chain ${config.CHAIN_ID}

  API          ${origin}/api/v1/stats
  compatible   ${origin}/api?module=account&action=balance&address=0x…
  RPC edge     http://${config.HOST}:${config.EDGE_PORT}, subscriptions on the same port
  docs         ${origin}/docs
  status       ${origin}/api/v1/status
  node         ${config.RPC_URL ? config.rpcUrls.map(url).join(', ') : `dev chain on ${url(getFirst(config.rpcUrls))}, a block every second`}
  ClickHouse   ${config.CLICKHOUSE_URL ? url(config.clickhouseUrl) : `embedded on ${url(config.clickhouseUrl)}, data in ${config.DATA_DIR}`}

  Press Ctrl-C to stop all processes.
`;
}
