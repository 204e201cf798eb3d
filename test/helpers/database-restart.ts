import type { StoreDeps } from '#pipeline/deps.ts';
import { writeMark } from '#pipeline/jobs/job-marks.ts';
import { checkedJob } from '#pipeline/store/lost-rows.ts';
import { readMark } from '#sql/job-marks.ts';
import { waitFor } from './processes.ts';

/** Makes the database look restarted, and waits until the pipeline has checked its newest rows. */
export async function passRestart(deps: StoreDeps): Promise<void> {
  await writeMark(deps, checkedJob, 1);
  await waitFor(async () => (await readMark(deps, checkedJob)) !== 1, 30_000, 'the newest rows are checked');
}
