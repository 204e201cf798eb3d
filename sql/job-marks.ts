/** Names of the pipeline's background jobs, and the last block that each has processed. */
import type { Database } from './client.ts';

export const knotsJob = 'knots';
export const codesJob = 'contract_codes';
export const balancesJob = 'account_balances';
export const withdrawalsJob = `${balancesJob} of withdrawals`;

/** Returns the last block that a job has processed; -1: none. */
export async function readMark({ database }: { readonly database: Database }, job: string): Promise<number> {
  const [row] = await database.read('job_mark', { job });
  return row ? Number(row.through) : -1;
}
