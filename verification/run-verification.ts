/** Runs verifications in processes with limited time and memory. */
import { fork } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import type { LimitedQuestion, VerificationQuestion, VerificationResult } from './types.ts';

export interface WorkerLimits {
  /** Maximum time of a verification, ms. */
  readonly timeoutMs: number;
  /** Maximum WebAssembly memory, and maximum JavaScript heap, MiB each. */
  readonly memoryMib: number;
}

const script = join(import.meta.dirname, '../bin/verify-contract.mjs');
/** WebAssembly memory grows in pages of 64 KiB. @source https://webassembly.github.io/spec/core, memory instances */
const pagesPerMib = 16;

const stopped = 'the service stops';

/**
 * Compiles and compares a contract in a new process.
 * @param onUnconfined receives the reason if the kernel does not restrict files and network
 * @returns a failure `compiler_timeout` or `compiler_out_of_memory` at a limit
 * @throws Error if the process does not start, or the signal fires
 */
export function runVerification(
  question: VerificationQuestion,
  limits: WorkerLimits,
  { signal, onUnconfined }: { signal?: AbortSignal; onUnconfined?: (reason: string) => void } = {},
): Promise<VerificationResult> {
  if (signal?.aborted) return Promise.reject(new Error(stopped));
  const child = fork(script, [question.compilerPath], {
    execArgv: [`--wasm-max-mem-pages=${limits.memoryMib * pagesPerMib}`, `--max-old-space-size=${limits.memoryMib}`],
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  lowerPriority(child.pid);
  return new Promise((resolve, reject) => {
    let isReady = false;
    const stop = () => child.kill('SIGKILL');
    const end = (settle: () => void) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      stop();
      settle();
    };
    const abort = () => end(() => reject(new Error(stopped)));
    const send = (limited: LimitedQuestion) => {
      try {
        child.send(limited);
      } catch (error) {
        end(() => reject(error)); // an error in a listener would end the API process
      }
    };
    const timer = setTimeout(() => end(() => resolve(describeEnd(true, limits))), limits.timeoutMs);
    signal?.addEventListener('abort', abort);
    child.on('message', (message: 'ready' | { unconfined: string } | VerificationResult) => {
      if (message === 'ready') {
        isReady = true;
        send({ ...question, timeoutMs: limits.timeoutMs });
      } else if ('unconfined' in message) onUnconfined?.(message.unconfined);
      else end(() => resolve(classify(message)));
    });
    const fail = () =>
      end(() =>
        isReady ? resolve(describeEnd(false, limits)) : reject(new Error('the compiler process does not start')),
      );
    child.once('error', fail);
    child.once('close', fail);
  });
}

/** Lowers the priority, because requests and blocks are more urgent. */
function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // the process has ended already
  }
}

function describeEnd(isLate: boolean, { timeoutMs, memoryMib }: WorkerLimits): VerificationResult {
  return isLate
    ? failure('compiler_timeout', `the compilation did not end within ${timeoutMs / 1_000} s`)
    : failure('compiler_out_of_memory', `the compiler crashed, or needs more than ${memoryMib} MiB of memory`);
}

/** Recognises out-of-memory errors, for which WebAssembly has its own texts. */
function classify(result: VerificationResult): VerificationResult {
  const isMemory =
    'failure' in result && /out of memory|memory access|unreachable|Aborted|allocation/i.test(result.failure.message);
  if (!isMemory || result.failure.code === 'compiler_error') return result;
  return failure('compiler_out_of_memory', `the compiler ran out of memory: ${result.failure.message.slice(0, 200)}`);
}

const failure = (code: string, message: string): VerificationResult => ({ failure: { code, message } });
