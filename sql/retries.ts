import { ClickHouseError } from '@clickhouse/client';
import type { Log } from '#runtime/log.ts';
import { pause } from '#runtime/shutdown.ts';
import { withSignals } from '#runtime/signals.ts';
import { ClaimLostError, classify, type StoreError } from './store-error.ts';

export interface CallObserver {
  recordCall(name: string, seconds: number): void;
  recordError(isRetryable: boolean): void;
}

export interface RetryOptions {
  readonly log: Log;
  /** Maximum time for retries, ms (pipeline: Infinity). */
  readonly waitMs: number;
  readonly signal?: AbortSignal;
  readonly observer?: CallObserver;
  /** Awaited before each attempt, for example to let urgent calls run first. */
  readonly turn?: () => Promise<void>;
}

interface Retries extends RetryOptions {
  /** Fires when the client closes. */
  readonly closed: AbortSignal;
  readonly onClaimLost: () => void;
}

/** Repeats a call until it succeeds, fails permanently, or takes longer than `waitMs`. @throws StoreError */
export async function retrying<T>(name: string, call: () => Promise<T>, options: Retries): Promise<T> {
  const startedAt = Date.now();
  await options.turn?.();
  for (let attempt = 1; ; attempt++) {
    try {
      return await timed(name, call, options.observer);
    } catch (error) {
      await waitAfter(classify(name, error), { name, attempt, startedAt }, options);
    }
  }
}

interface Attempt {
  readonly name: string;
  readonly attempt: number;
  readonly startedAt: number;
}

/** Waits for the next attempt. @throws the error if there is none */
async function waitAfter(error: StoreError, { name, attempt, startedAt }: Attempt, options: Retries): Promise<void> {
  const { signal, closed, waitMs, observer, onClaimLost } = options;
  const isStopped = () => signal?.aborted || closed.aborted;
  if (!isStopped()) observer?.recordError(error.retryable);
  if (error instanceof ClaimLostError) onClaimLost();
  if (!error.retryable || isStopped() || Date.now() - startedAt > waitMs) throw error;
  await backOff(attempt, error, name, options);
  await options.turn?.();
  if (isStopped()) throw error;
}

async function timed<T>(name: string, call: () => Promise<T>, observer: CallObserver | undefined): Promise<T> {
  const startedAt = performance.now();
  const answer = await call();
  observer?.recordCall(name, (performance.now() - startedAt) / 1000);
  return answer;
}

/** Pauses before a retry, at random, to spread the retries of many callers. */
async function backOff(
  attempt: number,
  { message, cause }: Error,
  call: string,
  { log, signal, closed }: Retries,
): Promise<void> {
  const pauseMs = Math.min(50 * 2 ** Math.min(attempt, 7), 5_000) * (0.5 + Math.random() / 2);
  if (isLogged(attempt))
    log.warn(
      { event: 'store_retry', call, attempt, pauseMs: Math.round(pauseMs), error: message },
      cause instanceof ClickHouseError
        ? 'ClickHouse cannot serve the call now, trying again'
        : 'ClickHouse does not answer, waiting for it: start it, or check CLICKHOUSE_URL',
    );
  await withSignals([signal, closed], (either) => pause(pauseMs, either));
}

/** Selects attempts 4, 8, 16 …: a long outage must not flood the log. */
const isLogged = (attempt: number) => attempt > 3 && Number.isInteger(Math.log2(attempt));
