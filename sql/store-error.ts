import { ClickHouseError } from '@clickhouse/client';
import { withDeadline } from '#runtime/signals.ts';
import { refusal } from './compile/fence.ts';
import type { Statement } from './compile/statements.ts';

/** Database error. If `retryable`, the same call may succeed later. */
export class StoreError extends Error {
  override readonly name: string = 'StoreError';
  readonly retryable: boolean;
  constructor(message: string, retryable: boolean, options?: ErrorOptions) {
    super(message, options);
    this.retryable = retryable;
  }
}

/** The database rejected a write because another pipeline process has taken over. */
export class ClaimLostError extends StoreError {
  override readonly name: string = 'ClaimLostError';
}

/** The result has more bytes than its budget allows. The statement may succeed with fewer rows. */
export class LargeResultError extends StoreError {
  override readonly name: string = 'LargeResultError';
}

/** Time to wait in a queue, in addition to the time limit. */
const graceSeconds = 5;

const passingCodes = new Set([
  '159',
  '202',
  '209',
  '210',
  '225',
  '241',
  '242',
  '252',
  '279',
  '285',
  '286',
  '289',
  '319',
  '425',
  '473',
  '999',
]);

/**
 * Limits the time of a call: a database that hangs counts as unavailable.
 * @param stop also ends the call
 * @throws StoreError if there is no answer in time
 */
export async function inTime<T>(
  { name, budget }: Statement,
  stop: AbortSignal | undefined,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const seconds = budget.maxSeconds + graceSeconds;
  return withDeadline(1000 * seconds, [stop], async (signal) => {
    try {
      return await call(signal);
    } catch (error) {
      if (!signal.aborted || stop?.aborted) throw error;
      throw new StoreError(`${name}: no answer within ${seconds} s`, true, { cause: error });
    }
  });
}

const timeExceeded = '159';
const budgetCodes = new Set([timeExceeded, '241']);

/** Returns whether the database stopped a statement because of its time limit. */
export const exceedsTime = ({ cause }: StoreError): boolean =>
  cause instanceof ClickHouseError && cause.code === timeExceeded;

/** Returns whether a statement exceeded its time or memory: it may succeed with fewer rows. */
export const exceedsBudget = ({ cause }: StoreError): boolean =>
  cause instanceof ClickHouseError
    ? budgetCodes.has(cause.code)
    : cause instanceof Error && /^Timeout/i.test(cause.message);

/** Returns whether a statement exceeded its own limits, including rows: a retry would too. */
export const exceedsLimits = (error: StoreError): boolean => {
  const { cause } = error;
  if (!(cause instanceof ClickHouseError)) return false;
  return cause.code === largeResult || (exceedsBudget(error) && !cause.message.includes('(total)'));
};

export const diskFull = '243';
const unfinishedMutation = '341';
const largeResult = '396';

/** Converts an error to a StoreError. @param name statement name */
export function classify(name: string, error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  if (error instanceof ClickHouseError) {
    if (isRefusal(error)) return new ClaimLostError(`${name}: ${refusal}`, false, { cause: error });
    if (error.code === largeResult && error.message.includes('max bytes'))
      return new LargeResultError(`${name}: ${error.message}`, false, { cause: error });
    const text =
      error.code === diskFull ? `the disk of the database is full, free space (${error.message})` : error.message;
    return new StoreError(`${name}: ${text}`, passingCodes.has(error.code) || isCancelled(error), { cause: error });
  }
  // other errors mean that the database did not answer
  return new StoreError(`${name}: ${error instanceof Error ? error.message : String(error)}`, true, { cause: error });
}

/** Dropping a partition cancels running UPDATE and DELETE statements of the table, also in other partitions. */
const isCancelled = ({ code, type }: ClickHouseError) => code === unfinishedMutation && type === 'ABORTED';

/** Code 60 means that another process dropped the marker table of this process. */
function isRefusal({ code, message }: ClickHouseError): boolean {
  return (code === '395' && message.includes(refusal)) || (code === '60' && message.includes('head_claim_'));
}
