import type { Interval } from '#chain/intervals.ts';
import { checkpointPrefix } from '#sql/coin-checkpoints.ts';
import { balancesJob, knotsJob, readMark, readMarks, redoPrefix } from '#sql/job-marks.ts';
import { RowWriter } from '#sql/row-writer.ts';
import type { StoreDeps } from '../deps.ts';

/**
 * Makes jobs process a replaced block and all later blocks again. First publish a new reorg generation: otherwise a
 * running step overwrites this change.
 */
export async function reopenJobs(deps: StoreDeps, fromBlock: number, jobs: readonly string[]): Promise<void> {
  for (const job of jobs) {
    const through = await readMark(deps, job);
    if (through >= fromBlock) await writeMark(deps, job, Math.max(0, fromBlock - 1));
  }
}

/**
 * Makes jobs process finalized blocks whose rows were replaced or added late. Jobs then repeat three things: wallet
 * events of these and all later blocks, balances and code of the accounts in these blocks, and all checkpoints. First
 * publish a new reorg generation, as for reopenJobs.
 */
export async function redoJobs(deps: StoreDeps, { fromBlock, toBlock }: Interval): Promise<void> {
  await reopenJobs(deps, fromBlock, [knotsJob]);
  // request first: until it is done, no checkpoint is computed from old balances
  await writeRangeMark(deps, redoPrefix, { fromBlock, toBlock });
  await forgetCheckpoints(deps);
}

/** Requests work for a range of blocks. `readRangeMarks` lists it until `forgetRangeMark`. */
export function writeRangeMark(deps: StoreDeps, prefix: string, range: Interval): Promise<void> {
  return writeMark(deps, nameRangeMark(prefix, range), range.toBlock);
}

export interface RangeMark extends Interval {
  readonly job: string;
}

export async function readRangeMarks(deps: StoreDeps, prefix: string): Promise<RangeMark[]> {
  return [...(await readMarks(deps, prefix))].map(([job, { through }]) => ({
    job,
    fromBlock: Number.parseInt(job.slice(prefix.length), 10),
    toBlock: through,
  }));
}

export async function forgetRangeMark({ database }: StoreDeps, job: string): Promise<void> {
  await database.execute('forget_job_marks', { prefix: job });
}

/** Has both ends, because ranges may share the first block. Names of earlier versions have only the first block. */
export const nameRangeMark = (prefix: string, { fromBlock, toBlock }: Interval) => `${prefix}${fromBlock}-${toBlock}.`;

/**
 * Deletes all balances after blocks were removed, so that jobs read them again. Otherwise a balance after a removed
 * block would stay valid, because readers use the highest block. No job may run meanwhile: balances stored between the
 * two deletions would be lost, but their mark would stay.
 */
export async function forgetBalances(deps: StoreDeps): Promise<void> {
  await forgetCheckpoints(deps);
  await deps.database.execute('forget_job_marks', { prefix: balancesJob });
  await deps.database.execute('empty_table', { table: 'account_balances' });
}

/**
 * Deletes all checkpoints. Call this before finalized rows are hidden or replaced, so that a crash leaves no wrong
 * checkpoint, and again afterwards, because a job may have stored new ones. Deletes marks first, so that no request
 * reads a partial checkpoint.
 */
export async function forgetCheckpoints({ database }: StoreDeps): Promise<void> {
  const forgetMarks = () => database.execute('forget_job_marks', { prefix: checkpointPrefix });
  await forgetMarks();
  await database.execute('empty_table', { table: 'coin_checkpoints' });
  await forgetMarks(); // marks that a job wrote after the first call, whose rows are deleted
}

/**
 * Replaces the mark of a job, even one from a process whose clock was ahead.
 * @param isOutdated true: writes nothing, because the blocks of the step have changed
 */
export async function writeMark(
  { database }: StoreDeps,
  job: string,
  through: number,
  isOutdated: () => boolean = () => false,
): Promise<void> {
  const [stored] = await database.read('job_mark', { job });
  if (isOutdated()) return; // checked after the version is chosen: reopenJobs() must get a higher one
  const w = new RowWriter(64);
  w.text(job);
  w.uint64(through);
  w.uint64(Math.max(Date.now(), Number(stored?.version ?? 0) + 1));
  w.uint64(Date.now());
  await database.insertRowBinary('job_marks', w.view());
}
