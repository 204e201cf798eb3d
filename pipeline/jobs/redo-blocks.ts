import type { PipelineDeps } from '../deps.ts';
import type { ChainStateStore } from '../store/chain-state-store.ts';
import { storeBalancesOf } from './account-balances.ts';
import { storeCodesOf } from './contract-codes.ts';
import { redoPrefix } from './job-marks.ts';

/**
 * Reads balances and codes of accounts in blocks whose rows were replaced or added late, as redoJobs() requests.
 * @returns number of ranges
 */
export async function redoBlocks(deps: PipelineDeps, store: ChainStateStore): Promise<number> {
  const { finalized, reorgGeneration } = store.state;
  const requests = await deps.database.read('job_marks_of', { prefix: redoPrefix });
  for (const { job, through } of requests) {
    const [from, to] = [Number.parseInt(job.slice(redoPrefix.length), 10), Number(through)];
    await storeBalancesOf(deps, from, to, finalized);
    await storeCodesOf(deps, from, to, finalized);
    // if rows were replaced meanwhile, the request may be a new one
    if (store.state.reorgGeneration !== reorgGeneration) break;
    await deps.database.execute('forget_job_marks', { prefix: job });
  }
  return requests.length;
}
