import { redoPrefix } from '#sql/job-marks.ts';
import { isBackfilled } from '#sql/snapshot.ts';
import type { PipelineDeps } from '../deps.ts';
import type { ChainStateStore } from '../store/chain-state-store.ts';
import { storeBalancesInRange } from './account-balances.ts';
import { storeCodesInRange } from './contract-codes.ts';
import { forgetRangeMark, readRangeMarks } from './job-marks.ts';

/**
 * Reads balances and codes of accounts in blocks whose rows were replaced or added late, as redoJobs() requests.
 * @returns number of ranges
 */
export async function redoBlocks(deps: PipelineDeps, store: ChainStateStore): Promise<number> {
  const { reorgGeneration } = store.state;
  const newest = () => store.state.finalized;
  if (!isBackfilled(store.state)) return 0; // the rows of the blocks may be missing
  const requests = await readRangeMarks(deps, redoPrefix);
  for (const range of requests) {
    await storeBalancesInRange(deps, range.fromBlock, range.toBlock, newest);
    await storeCodesInRange(deps, range.fromBlock, range.toBlock, newest);
    // if rows were replaced meanwhile, the request may be a new one
    if (store.state.reorgGeneration !== reorgGeneration) break;
    await forgetRangeMark(deps, range.job);
  }
  return requests.length;
}
