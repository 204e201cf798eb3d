import { RowWriter } from '#sql/row-writer.ts';
import type { StoreDeps } from '../deps.ts';

export const knotsJob = 'knots';
export const codesJob = 'contract_codes';
export const balancesJob = 'account_balances';
export const withdrawalsJob = `${balancesJob} of withdrawals`;

/** Jobs that are cheap enough to process all blocks again from a repaired block on. */
const repairedJobs = [knotsJob, codesJob];

/**
 * Makes background jobs process the blocks from a replaced block on again. First publish a new reorg generation:
 * otherwise a running step overwrites this change.
 */
export async function reopenJobs(deps: StoreDeps, fromBlock: number, jobs = repairedJobs): Promise<void> {
  for (const job of jobs) {
    const through = await readMark(deps, job);
    if (through >= fromBlock) await writeMark(deps, job, Math.max(0, fromBlock - 1));
  }
}

/** Makes all jobs process the blocks after a removed block again. Publish as for reopenJobs. */
export const reopenAllJobs = (deps: StoreDeps, fromBlock: number): Promise<void> =>
  reopenJobs(deps, fromBlock, [...repairedJobs, balancesJob, withdrawalsJob]);

/** Returns the last block that a job handled; -1: none. */
export async function readMark({ database }: StoreDeps, job: string): Promise<number> {
  const [row] = await database.read('job_mark', { job });
  return row ? Number(row.through) : -1;
}

export async function writeMark({ database }: StoreDeps, job: string, through: number): Promise<void> {
  const w = new RowWriter(64);
  w.text(job);
  w.uint64(through);
  w.uint64(Date.now());
  w.uint64(Date.now());
  await database.insertRowBinary('job_marks', w.view());
}
