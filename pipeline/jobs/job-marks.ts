import { RowWriter } from '#sql/row-writer.ts';
import type { StoreDeps } from '../deps.ts';

export const knotsJob = 'knots';

/**
 * Makes the background job derive wallet events from a block on again. First publish a new reorg generation: otherwise
 * a running step overwrites this change.
 */
export async function reopenKnots(deps: StoreDeps, fromBlock: number): Promise<void> {
  const through = await readMark(deps, knotsJob);
  if (through >= fromBlock) await writeMark(deps, knotsJob, Math.max(0, fromBlock - 1));
}

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
