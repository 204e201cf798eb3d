/** Runs verifications in worker processes with bounds on time and memory. */
import { fork } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import type { VerificationQuestion, VerificationResult } from './types.ts';

export interface WorkerLimits {
  /** Maximum time of a verification, with its compilations, ms. */
  readonly timeoutMs: number;
  /** Maximum WebAssembly memory of the compiler, and maximum JavaScript heap, MiB each. */
  readonly memoryMib: number;
}

const script = join(import.meta.dirname, '../bin/verify-contract.mjs');
/** WebAssembly memory grows in pages. @source https://webassembly.github.io/spec/core, memory instances */
const pagesPerMib = 16;

/**
 * Compiles the sources of a question in a new process, and compares the result with the contract.
 * @returns a failure with code `compiler_timeout` or `compiler_out_of_memory` if the process reaches a limit
 * @throws Error if the process does not start
 */
export function runVerification(question: VerificationQuestion, limits: WorkerLimits): Promise<VerificationResult> {
  const child = fork(script, [question.compilerPath], {
    execArgv: [`--wasm-max-mem-pages=${limits.memoryMib * pagesPerMib}`, `--max-old-space-size=${limits.memoryMib}`],
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // requests and blocks go first
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  return new Promise((resolve, reject) => {
    let result: VerificationResult | undefined;
    let isReady = false;
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      child.kill('SIGKILL');
    }, limits.timeoutMs);
    child.on('message', (message) => {
      if (message === 'ready') isReady = child.send(question);
      else result = message as VerificationResult;
    });
    child.once('error', () => child.kill('SIGKILL'));
    child.once('close', () => {
      clearTimeout(timer);
      if (result) resolve(classify(result));
      else if (isReady || isLate) resolve(describeEnd(isLate, limits));
      else reject(new Error('the process of the compiler does not start'));
    });
  });
}

function describeEnd(isLate: boolean, { timeoutMs, memoryMib }: WorkerLimits): VerificationResult {
  return isLate
    ? failure('compiler_timeout', `the compilation did not end within ${timeoutMs / 1_000} s`)
    : failure('compiler_out_of_memory', `the compiler crashed, or needs more than ${memoryMib} MiB of memory`);
}

/** Recognises results of a compiler that its memory limit stopped: WebAssembly then fails with its own errors. */
function classify(result: VerificationResult): VerificationResult {
  const isMemory =
    'failure' in result && /out of memory|memory access|unreachable|Aborted|allocation/i.test(result.failure.message);
  if (!isMemory || result.failure.code === 'compiler_error') return result;
  return failure('compiler_out_of_memory', `the compiler ran out of memory: ${result.failure.message.slice(0, 200)}`);
}

const failure = (code: string, message: string): VerificationResult => ({ failure: { code, message } });
