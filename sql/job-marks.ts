/** Names of the pipeline's background jobs, and the last block that each has processed. */
import type { Database } from './client.ts';

export const knotsJob = 'knots';
export const codesJob = 'contract_codes';
export const balancesJob = 'account_balances';
export const withdrawalsJob = `${balancesJob} of withdrawals`;

/** Prefix of marks of block ranges whose balances and codes must be read again. */
export const redoPrefix = 'state of blocks from ';

/** Returns whether any balances must be read again. */
export const hasRedoRequests = async ({ database }: { readonly database: Database }): Promise<boolean> =>
  (await database.read('job_marks_of', { prefix: redoPrefix })).length > 0;

interface JobMark {
  /** Last block that the job has processed. */
  readonly through: number;
  /** Time of the write, Unix ms, or higher: grows with each write. */
  readonly version: number;
}

/** Returns the marks of jobs whose names start with `prefix`, by name. */
export async function readMarks(
  { database }: { readonly database: Database },
  prefix: string,
): Promise<Map<string, JobMark>> {
  const marks = await database.read('job_marks_of', { prefix });
  return new Map(
    marks.map(({ job, through, version }) => [job, { through: Number(through), version: Number(version) }]),
  );
}

/** Returns the last block that a job has processed; -1: none. */
export async function readMark({ database }: { readonly database: Database }, job: string): Promise<number> {
  const [row] = await database.read('job_mark', { job });
  return row ? Number(row.through) : -1;
}
