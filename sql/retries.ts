/** Calls of a database that may be away: tried again until it answers, or until the caller waits no longer. */
import type { Log } from '#runtime/log.ts';
import { pause } from '#runtime/shutdown.ts';
import { ClaimLostError, classify } from './store-error.ts';

/** Is told of every call, each attempt by itself. */
export interface CallObserver {
  /** @param name of the statement, or `insert <table>` @param seconds until it was answered */
  noteCall(name: string, seconds: number): void;
  noteFault(isRetryable: boolean): void;
}

export interface RetryOptions {
  readonly log: Log;
  /** How long a call waits for a database that is away, ms; Infinity for the pipeline. */
  readonly waitMs: number;
  readonly signal?: AbortSignal;
  readonly observer?: CallObserver;
  /** Awaited before each attempt of a call. */
  readonly turn?: () => Promise<void>;
}

/** @param name of the call, in log, metrics and errors @throws StoreError */
export async function retrying<T>(
  name: string,
  call: () => Promise<T>,
  options: RetryOptions & { readonly onClaimLost: () => void },
): Promise<T> {
  const { signal, waitMs, observer, turn, onClaimLost } = options;
  const startedAt = Date.now();
  for (let attempt = 1; ; attempt++) {
    await turn?.();
    try {
      return await timed(name, call, observer);
    } catch (error) {
      const fault = classify(name, error);
      if (!signal?.aborted) observer?.noteFault(fault.retryable);
      if (fault instanceof ClaimLostError) onClaimLost();
      if (!fault.retryable || signal?.aborted || Date.now() - startedAt > waitMs) throw fault;
      await rest(attempt, fault, name, options);
    }
  }
}

async function timed<T>(name: string, call: () => Promise<T>, observer: CallObserver | undefined): Promise<T> {
  const startedAt = performance.now();
  const answer = await call();
  observer?.noteCall(name, (performance.now() - startedAt) / 1000);
  return answer;
}

/** Longer after each attempt, and by chance, so that callers do not come back all at once. */
async function rest(attempt: number, { message }: Error, call: string, { log, signal }: RetryOptions): Promise<void> {
  const pauseMs = Math.min(50 * 2 ** Math.min(attempt, 7), 5_000) * (0.5 + Math.random() / 2);
  if (isTold(attempt)) log.warn({ event: 'store_retry', call, attempt, pauseMs: Math.round(pauseMs), error: message });
  await pause(pauseMs, signal);
}

/** The fourth attempt of a call, then the 8th, 16th and so on: a database that is away for an hour is not news every second. */
const isTold = (attempt: number) => attempt > 3 && Number.isInteger(Math.log2(attempt));
