import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { sampleFiles } from '#devchain/sample-documents.ts';
import { devTestimonyContract } from '#devchain/testimony.ts';
import { runEmbeddedClickHouse } from '#engine/supervisor.ts';
import type { Config } from '#runtime/config.ts';
import { createLog, type Log, silentLog } from '#runtime/log.ts';
import { progressMark } from '#runtime/progress-line.ts';
import { aborted, shutdownSignal } from '#runtime/shutdown.ts';
import { joinSignals } from '#runtime/signals.ts';
import { type ChildSpec, says, supervise } from '#runtime/supervise.ts';
import { isTerminal } from '#runtime/terminal.ts';
import { openDatabase } from '#sql/open-database.ts';
import { assertCanStart } from './checks.ts';
import { forgetEarlierDevChain } from './forget-dev-chain.ts';
import { describeChain, describeDatabase, getOrigin, StartScreen } from './start-screen.ts';

export interface StartOptions {
  /** Length of the dev chain history, blocks. */
  readonly blocks: number;
}

/** Exit code for an invalid configuration or a wrong chain. Such a child process is not restarted. */
const invalidConfiguration = 2;

const schemaWaitMs = 60_000;

/**
 * Runs all processes until SIGTERM, and restarts those that die. Stops the service if the dev chain dies, because a new
 * dev chain would have other blocks. Stops ClickHouse and the dev chain last, because the others need them.
 */
export async function runStart(config: Config, options: StartOptions): Promise<void> {
  await assertCanStart(config);
  const stop = new AbortController();
  const shutdown = shutdownSignal();
  const signal = joinSignals(shutdown, stop.signal);
  const dependenciesStop = new AbortController();
  const log = createLog('start', config.LOG_LEVEL);
  const screen = isTerminal ? new StartScreen(config) : undefined;
  if (screen) void aborted(shutdown).then(() => screen.stop());
  const children = createChildren({ config, log, screen, onFatal: () => stop.abort() });
  const dependencies: Promise<number>[] = [];
  if (!config.CLICKHOUSE_URL) {
    screen?.set('database', 'running', 'starts');
    await started((onStart) => dependencies.push(children.runClickHouse(dependenciesStop.signal, onStart)), signal);
  }
  if (!signal.aborted) screen?.set('database', 'done', describeDatabase(config));
  if (!config.RPC_URL) {
    const args = ['devchain', '--blocks', String(options.blocks), '--documents', documentsDir(config)];
    const spec = { name: 'devchain', args, signal: dependenciesStop.signal, isLostAtEnd: true };
    await started((onStart) => dependencies.push(children.run({ ...spec, onStart })), signal);
  }
  const isOwn = !config.RPC_URL && !config.CLICKHOUSE_URL;
  const quietLog = screen ? silentLog : log;
  const isAnother = isOwn && !signal.aborted && (await forgetEarlierDevChain(config, quietLog));
  if (!signal.aborted) screen?.set('chain', 'done', describeChain(config, isAnother));
  screen?.set('index', 'running', 'prepares the schema');
  await prepareSchema(config, quietLog, signal);
  const env = config.RPC_URL ? {} : devSources(config);
  if (signal.aborted) return process.exit(await stopAll(dependencies, dependenciesStop));
  const services: Promise<number>[] = [];
  for (const name of ['index', 'edge']) services.push(children.run({ name, args: [name], env, signal }));
  const api = { name: 'api', args: ['api'], env, signal };
  await started((onStart) => services.push(children.run({ ...api, onStart })), signal);
  if (!screen && !signal.aborted)
    log.info({ event: 'start_ready', url: getOrigin(config) }, `ready: open ${getOrigin(config)}`);
  const serviceCodes = await Promise.all(services);
  dependenciesStop.abort();
  const codes = [...serviceCodes, ...(await Promise.all(dependencies))];
  process.exit(Math.max(...codes));
}

interface ChildrenOptions {
  readonly config: Config;
  readonly log: Log;
  readonly screen: StartScreen | undefined;
  readonly onFatal: () => void;
}

type OnStart = (child: ChildProcess) => void;

function createChildren({ config, log, screen, onFatal }: ChildrenOptions) {
  const endAll = (code: number) => {
    if (code !== 0) onFatal();
    return code;
  };
  const onLine = screen?.onLine;
  const shownEnv = screen ? { LOG_FORMAT: 'json', LOG_LEVEL: screen.childLevel, [progressMark]: '1' } : {};
  const run = async (spec: Pick<ChildSpec, 'name' | 'args' | 'env' | 'signal' | 'onStart' | 'isLostAtEnd'>) => {
    const onStart = (child: ChildProcess) => {
      if (screen) child.on('message', screen.onMessage);
      spec.onStart?.(child);
    };
    const env = { ...spec.env, ...shownEnv };
    const fatalCodes = [invalidConfiguration];
    return endAll(await supervise({ ...spec, env, onStart, onLine, script: 'bin/cordscan.mjs', log, fatalCodes }));
  };
  const { DATA_DIR: dataDir, BACKUP_DIR: backupsDir, CLICKHOUSE_PORT: port } = config;
  const runClickHouse = (signal: AbortSignal, onStart: OnStart) =>
    runEmbeddedClickHouse({ dataDir, backupsDir, port, signal, log, onStart, onLine }).then(endAll);
  return { run, runClickHouse };
}

/** Runs before the API starts, because requests during the first migration would fail. */
async function prepareSchema(config: Config, log: Log, signal: AbortSignal): Promise<void> {
  const opening = openDatabase(config, { log, signal, waitMs: schemaWaitMs });
  const database = await opening.catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  await database?.close();
}

const documentsDir = ({ DATA_DIR }: Config) => join(DATA_DIR, 'dev-chain');

/** Returns settings for the dev chain's sample documents and contracts. The operator's settings have precedence. */
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

/** Resolves when the child process listens or the signal fires. */
function started(start: (onStart: OnStart) => unknown, signal: AbortSignal): Promise<void> {
  const listening = new Promise<void>((resolve) => {
    start((child) =>
      child.on('message', (message) => {
        if (says(message, 'listening')) resolve();
      }),
    );
  });
  return Promise.race([listening, aborted(signal)]);
}

async function stopAll(children: readonly Promise<number>[], stop: AbortController): Promise<number> {
  stop.abort();
  return Math.max(0, ...(await Promise.all(children)));
}
