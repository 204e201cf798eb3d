/** A child process that is started again when it dies, with a growing pause. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Log } from './log.ts';
import { aborted, pause } from './shutdown.ts';

const root = join(import.meta.dirname, '..');

export interface ChildSpec {
  readonly name: string;
  /** Module that Node runs as it is, or TypeScript of a bench; from the project's root. */
  readonly script: string;
  readonly args?: readonly string[];
  readonly env?: Record<string, string>;
  readonly signal: AbortSignal;
  readonly log: Log;
  /** Called after each start. */
  readonly onStart?: (child: ChildProcess) => void;
  /** Exit codes that no restart can mend, such as 2 for a faulty configuration. */
  readonly fatalCodes?: readonly number[];
}

/** Starts one child; it gets an IPC channel, whose end tells it that its parent is gone. */
export function startChild(spec: Pick<ChildSpec, 'script' | 'args' | 'env'>): ChildProcess {
  const loader = spec.script.endsWith('.ts') ? ['--import', 'tsx'] : [];
  return spawn(process.execPath, [...loader, join(root, spec.script), ...(spec.args ?? [])], {
    cwd: process.cwd(),
    env: { ...process.env, ...spec.env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: true, // Ctrl-C reaches the parent alone, which ends its children in order; the IPC channel tells them if it dies
  });
}

/**
 * Runs the child until the signal fires; then SIGTERM, and SIGKILL after 20 s.
 * @returns the exit code when it is one of `fatalCodes`, else 0 after the signal
 */
export async function supervise(spec: ChildSpec): Promise<number> {
  let pauseMs = 100;
  while (!spec.signal.aborted) {
    const startedAt = Date.now();
    const child = startChild(spec);
    const ended = exitOf(child);
    spec.onStart?.(child);
    const first = await Promise.race([ended, aborted(spec.signal).then(() => 'stop' as const)]);
    if (first === 'stop') return await stopChild(spec, child, ended);
    if (spec.fatalCodes?.includes(first.code ?? -1)) return first.code ?? 1;
    if (Date.now() - startedAt > 10_000) pauseMs = 100;
    spec.log.warn({ event: 'child_ended', child: spec.name, ...first, restartInMs: pauseMs });
    await pause(pauseMs, spec.signal);
    pauseMs = Math.min(pauseMs * 2, 5_000);
  }
  return 0;
}

interface Exit {
  readonly code: number | null;
  readonly killedBy: NodeJS.Signals | null;
}

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.once('exit', (code, killedBy) => resolve({ code, killedBy }));
    child.once('error', () => resolve({ code: 1, killedBy: null }));
  });
}

async function stopChild({ name, log }: ChildSpec, child: ChildProcess, ended: Promise<Exit>): Promise<number> {
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 20_000);
  const { killedBy } = await ended;
  clearTimeout(timer);
  // the embedded engine ends itself by SIGKILL, see engine/main.ts
  if (killedBy && killedBy !== 'SIGKILL' && killedBy !== 'SIGTERM')
    log.error({ event: 'child_crashed', child: name, killedBy });
  return 0;
}
