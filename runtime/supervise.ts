import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Log } from './log.ts';
import { aborted, pause } from './shutdown.ts';

const lastLinesMs = 500;
const root = join(import.meta.dirname, '..');

export interface ChildSpec {
  readonly name: string;
  /** JavaScript or TypeScript module, relative to the project root. */
  readonly script: string;
  readonly args?: readonly string[];
  readonly env?: Record<string, string>;
  readonly signal: AbortSignal;
  readonly log: Log;
  /** Receives each line of the child's standard error. Unset: the child writes to this process's standard error. */
  readonly onLine?: ((line: string) => void) | undefined;
  /** Called before each start. */
  readonly prepare?: () => void;
  readonly onStart?: (child: ChildProcess) => void;
  /** Exit codes that prevent a restart, such as 2 for an invalid configuration. */
  readonly fatalCodes?: readonly number[];
  /** A child that was ready (sent a message with `listening`) is not restarted, because its state is lost. */
  readonly isLostAtEnd?: boolean;
}

/** Returns whether a message between parent and child has a field. `listening`: the child listens. */
export const says = (message: unknown, field: string): boolean =>
  typeof message === 'object' && message !== null && field in message;

/** Starts a child process with an IPC channel. It closes if the parent dies, so that the child can stop. */
export function startChild(spec: Pick<ChildSpec, 'script' | 'args' | 'env' | 'onLine'>): ChildProcess {
  const loader = spec.script.endsWith('.ts') ? ['--import', 'tsx'] : [];
  const child = spawn(process.execPath, [...loader, join(root, spec.script), ...(spec.args ?? [])], {
    cwd: process.cwd(),
    env: { ...process.env, ...spec.env },
    stdio: ['ignore', 'inherit', spec.onLine ? 'pipe' : 'inherit', 'ipc'],
    detached: true, // Ctrl-C reaches only the parent, which then stops its children in order
  });
  if (child.stderr && spec.onLine) createInterface({ input: child.stderr }).on('line', spec.onLine);
  return child;
}

/**
 * Runs a child process, and restarts it until the signal aborts. Then sends SIGTERM, and SIGKILL after 20 s.
 * @returns an exit code in `fatalCodes`, a code above 0 of a child that is not restarted, or 0 after the signal
 */
export async function supervise(spec: ChildSpec): Promise<number> {
  let pauseMs = 100;
  while (!spec.signal.aborted) {
    const startedAt = Date.now();
    spec.prepare?.();
    const child = startChild(spec);
    const ended = waitForExit(child);
    let isReady = false;
    child.on('message', (message) => (isReady ||= says(message, 'listening')));
    spec.onStart?.(child);
    const first = await Promise.race([ended, aborted(spec.signal).then(() => 'stop' as const)]);
    if (first === 'stop') return await stopChild(spec, child, ended);
    if (spec.fatalCodes?.includes(first.code ?? -1)) return first.code ?? 1;
    if (spec.isLostAtEnd && isReady) {
      const text = `${spec.name} ended, and what it kept in memory is lost: stop and start again`;
      spec.log.error({ event: 'child_lost', child: spec.name, ...first }, text);
      return first.code || 1;
    }
    if (Date.now() - startedAt > 10_000) pauseMs = 100;
    spec.log.warn(
      { event: 'child_ended', child: spec.name, ...first, restartInMs: pauseMs },
      `${spec.name} ended and is restarted`,
    );
    await pause(pauseMs, spec.signal);
    pauseMs = Math.min(pauseMs * 2, 5_000);
  }
  return 0;
}

interface Exit {
  readonly code: number | null;
  readonly killedBy: NodeJS.Signals | null;
}

function waitForExit(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.once('exit', (code, killedBy) => {
      const end = () => resolve({ code, killedBy });
      if (!child.stderr || child.stderr.closed) return end();
      child.stderr.once('close', end);
      setTimeout(end, lastLinesMs); // a process that the child started may keep the stream open
    });
    child.once('error', () => resolve({ code: 1, killedBy: null }));
  });
}

async function stopChild({ name, log }: ChildSpec, child: ChildProcess, ended: Promise<Exit>): Promise<number> {
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 20_000);
  const { killedBy } = await ended;
  clearTimeout(timer);
  // the embedded ClickHouse ends by SIGKILL, see engine/main.ts
  if (killedBy && killedBy !== 'SIGKILL' && killedBy !== 'SIGTERM')
    log.error({ event: 'child_crashed', child: name, killedBy });
  return 0;
}
