import { PrunedStateError, TransportError } from '#chain/errors.ts';
import { redoPrefix } from '#sql/job-marks.ts';
import { isBackfilled } from '#sql/snapshot.ts';
import { StoreError } from '#sql/store-error.ts';
import type { NodeDeps, StoreDeps } from '../deps.ts';
import type { ChainStateStore } from '../store/chain-state-store.ts';
import { storeBalancesInRange } from './account-balances.ts';
import { storeCodesInRange } from './contract-codes.ts';
import { forgetRangeMark, readRangeMarks } from './job-marks.ts';

/**
 * Reads balances and code of accounts in blocks whose rows were replaced or added late (see redoJobs).
 * @returns number of ranges
 * @throws the first error, after all ranges were tried; StoreError and failures of all nodes at once
 */
export async function redoBlocks(deps: StoreDeps & NodeDeps, store: ChainStateStore): Promise<number> {
  const { finalizedChanges } = store;
  const newest = () => store.state.finalized;
  if (!isBackfilled(store.state)) return 0; // rows of the blocks may be missing
  const requests = await readRangeMarks(deps, redoPrefix);
  const failures: unknown[] = [];
  for (const range of requests) {
    try {
      await storeCodesInRange(deps, range.fromBlock, range.toBlock, newest);
      await storeBalancesInRange(deps, range.fromBlock, range.toBlock, newest);
    } catch (error) {
      const isOutage = error instanceof TransportError && !(error instanceof PrunedStateError);
      if (error instanceof StoreError || isOutage || deps.signal.aborted) throw error;
      failures.push(error); // nodes may have pruned only the blocks of this range
      continue;
    }
    // if rows were replaced during this step, the request may be a new one
    if (store.finalizedChanges !== finalizedChanges) break;
    await forgetRangeMark(deps, range.job);
  }
  if (failures.length > 0) throw failures[0];
  return requests.length;
}
