import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runEmbeddedClickHouse } from '#engine/supervisor.ts';
import { passwordFileIn, portFileIn, readPassword } from '#runtime/engine-password.ts';
import { silentLog } from '#runtime/log.ts';

const root = join(import.meta.dirname, '../..');

/** Memory disk, used if it has enough space: small files on a disk take a third of the tests' CPU time. */
const inMemory = { path: '/dev/shm', leastFreeBytes: 6 * 2 ** 30 };

export async function scratchFolder(name: string): Promise<string> {
  const { bavail, bsize } = await statfs(inMemory.path).catch(() => ({ bavail: 0, bsize: 0 }));
  return mkdtemp(join(bavail * bsize > inMemory.leastFreeBytes ? inMemory.path : tmpdir(), `${name}-`));
}

/**
 * Below the ports that Linux gives to outgoing connections, because such a connection could take the port before the
 * server listens.
 */
const serverPorts = { first: 10_000, last: 32_000 };

/** Returns a port on which nothing listens. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(serverPorts.first, serverPorts.last);
    if (await canListen(port)) return port;
  }
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    );
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

export interface RunningEngine {
  readonly url: string;
  readonly origin: string;
  readonly headers: { readonly authorization: string; readonly 'x-clickhouse-database': string };
  readonly port: number;
  pid(): number;
  /** The supervisor restarts the engine after this. */
  kill(): void;
  stop(): Promise<void>;
}

/** The first start reads a library of half a gigabyte from a disk to which another process may be writing. */
const engineStartMs = 120_000;

/** Starts the embedded engine like the service: in its own process with a supervisor. */
export async function startEngine(dataDir: string, onLine?: (line: string) => void): Promise<RunningEngine> {
  const port = await freePort();
  const controller = new AbortController();
  let child: ChildProcess | undefined;
  const ended = runEmbeddedClickHouse({
    dataDir,
    port,
    signal: controller.signal,
    log: silentLog,
    onLine,
    onStart: (started) => {
      child = started;
    },
  });
  const stop = async () => {
    controller.abort();
    await ended;
  };
  const origin = `http://127.0.0.1:${port}`;
  const answers = async () =>
    (await fetch(`${origin}/ping`).catch(() => undefined))?.ok === true && publishedPort(dataDir) === port;
  await waitFor(answers, engineStartMs, 'the embedded ClickHouse answers').catch(async (error: unknown) => {
    await stop(); // otherwise the engine would keep the calling process alive
    throw error;
  });
  const password = readPassword(passwordFileIn(dataDir));
  const authorization = `Basic ${btoa(`default:${password}`)}`;
  const body = 'CREATE DATABASE IF NOT EXISTS tests';
  await fetch(origin, { method: 'POST', body, headers: { authorization } });
  return {
    url: `http://default:${password}@127.0.0.1:${port}`,
    origin,
    port,
    headers: { authorization, 'x-clickhouse-database': 'tests' },
    pid: () => child?.pid ?? 0,
    kill: () => child?.kill('SIGKILL'),
    stop,
  };
}

function publishedPort(dataDir: string): number | undefined {
  const path = portFileIn(dataDir);
  return existsSync(path) ? Number(readFileSync(path, 'utf8')) : undefined;
}

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL'); // a caller that fails must not leave processes behind
});

export function spawnCordscan(args: readonly string[], env: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, [join(root, 'bin/cordscan.mjs'), ...args], {
    env: { ...process.env, LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

export async function runCordscan(
  args: readonly string[],
  env: Record<string, string>,
): Promise<{ code: number | null; output: string }> {
  const child = spawnCordscan(args, env);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, output };
}

/** Pauses grow from the first to the longest. */
const firstPauseMs = 10;
const longestPauseMs = 200;

/** Waits for a condition. @throws Error with the condition and the last progress if it is not true in time */
export async function waitFor(
  condition: () => Promise<boolean> | boolean,
  timeoutMs: number,
  what: string | (() => string),
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (let pauseMs = firstPauseMs; !(await condition()); pauseMs = Math.min(1.3 * pauseMs, longestPauseMs)) {
    if (Date.now() > deadline) throw new Error(`timed out: ${typeof what === 'string' ? what : what()}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
