/** How far jobs have come, in the table job_marks. */

import { RowWriter } from '#sql/row-writer.ts';
import type { StoreDeps } from '../deps.ts';

/** The job that derives knots, whose rows a rewind takes away. */
export const knotsJob = 'knots';

/**
 * Has the knots of a block and all above it derived again; where rows were wrong, its knots go first. Called after readers
 * and jobs were told by a new epoch.
 */
export async function reopenKnots(deps: StoreDeps, fromBlock: number): Promise<void> {
  const through = await readMark(deps, knotsJob);
  if (through >= fromBlock) await writeMark(deps, knotsJob, Math.max(0, fromBlock - 1));
}

/** @returns -1 when the job has done nothing yet */
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
