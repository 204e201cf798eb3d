/** What went wrong with the database: whether the same call may succeed later, and whether it was in time at all. */
import { ClickHouseError } from '@clickhouse/client';
import { refusal } from './compile/fence.ts';
import type { Statement } from './compile/statements.ts';

/** The database did not answer, or refused. `retryable` says whether the same call may succeed later. */
export class StoreError extends Error {
  override readonly name: string = 'StoreError';
  readonly retryable: boolean;
  constructor(message: string, retryable: boolean, options?: ErrorOptions) {
    super(message, options);
    this.retryable = retryable;
  }
}

/** Another worker holds by now what this one claimed: the statement was refused. */
export class ClaimLostError extends StoreError {
  override readonly name: string = 'ClaimLostError';
}

/** Beyond the time that a statement may run: it may have to wait for its turn, seconds. */
const graceSeconds = 5;

/** ClickHouse codes after which the same call may succeed: too many queries, memory, network, time-out of a lock. */
const passingCodes = new Set([
  '159',
  '202',
  '209',
  '210',
  '241',
  '242',
  '252',
  '285',
  '286',
  '319',
  '425',
  '473',
  '999',
]);

/**
 * A database that hangs, as a frozen process or a full disk leaves it, counts as away once the statement's time is over.
 * @throws StoreError where no answer came in time
 */
export async function inTime<T>({ name, budget }: Statement, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const limit = new AbortController();
  const seconds = budget.maxSeconds + graceSeconds;
  const timer = setTimeout(() => limit.abort(), 1000 * seconds);
  try {
    return await call(limit.signal);
  } catch (error) {
    if (limit.signal.aborted) throw new StoreError(`${name}: no answer within ${seconds} s`, true, { cause: error });
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** A fault of a call as ours. @param name of the statement */
export function classify(name: string, error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  if (error instanceof ClickHouseError) {
    if (isRefusal(error)) return new ClaimLostError(`${name}: ${refusal}`, false, { cause: error });
    return new StoreError(`${name}: ${error.message}`, passingCodes.has(error.code), { cause: error });
  }
  // no answer of the database: refused, reset, timed out
  return new StoreError(`${name}: ${error instanceof Error ? error.message : String(error)}`, true, { cause: error });
}

/** Removals and rows of the head name the table of their claim instead of reading claims: what is refused is a table that is not there. */
function isRefusal({ code, message }: ClickHouseError): boolean {
  return (code === '395' && message.includes(refusal)) || (code === '60' && message.includes('head_claim_'));
}
