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
  { signal, waitMs, log, observer, turn, onClaimLost }: RetryOptions & { readonly onClaimLost: () => void },
): Promise<T> {
  const startedAt = Date.now();
  for (let attempt = 1; ; attempt++) {
    await turn?.();
    const attemptedAt = performance.now();
    try {
      const answer = await call();
      observer?.noteCall(name, (performance.now() - attemptedAt) / 1000);
      return answer;
    } catch (error) {
      const fault = classify(name, error);
      if (!signal?.aborted) observer?.noteFault(fault.retryable);
      if (fault instanceof ClaimLostError) onClaimLost();
      const elapsed = Date.now() - startedAt;
      if (!fault.retryable || signal?.aborted || elapsed > waitMs) throw fault;
      const pauseMs = Math.min(50 * 2 ** Math.min(attempt, 7), 5_000) * (0.5 + Math.random() / 2);
      if (isTold(attempt))
        log.warn({ event: 'store_retry', call: name, attempt, pauseMs: Math.round(pauseMs), error: fault.message });
      await pause(pauseMs, signal);
    }
  }
}

/** The fourth attempt of a call, then the 8th, 16th and so on: a database that is away for an hour is not news every second. */
const isTold = (attempt: number) => attempt > 3 && Number.isInteger(Math.log2(attempt));
