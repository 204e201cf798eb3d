/**
 * Stores checkpoints: the native currency balances of all accounts after some finalized blocks. Balances after other
 * blocks then follow from few movements. Each checkpoint is computed from the next one, the newest from balances of a
 * node.
 */
import { findGaps } from '#chain/intervals.ts';
import {
  checkpointMark,
  checkpointsJob,
  coinParameters,
  lateParameters,
  nextCheckpoint,
  readCheckpoints,
} from '#sql/coin-checkpoints.ts';
import { balancesJob, hasRedoRequests, readMark, withdrawalsJob } from '#sql/job-marks.ts';
import { type ChainState, isWhole } from '#sql/snapshot.ts';
import type { JobDeps, StoreDeps } from '../deps.ts';
import type { ChainStateStore } from '../store/chain-state-store.ts';
import { readTraced } from '../traces/traced-ranges.ts';
import { forgetCheckpoints, writeMark } from './job-marks.ts';
import type { JobSettings } from './job-settings.ts';

type CheckpointDeps = Pick<JobDeps, 'database' | 'log'>;

/** Defaults of the setting `checkpoints`. */
export const distance = { transactions: 1_000_000, blocks: 2_000 };

/** Stores the highest missing checkpoint. @returns true if others may be missing */
export async function storeCheckpoints(
  deps: CheckpointDeps & { readonly settings: Pick<JobSettings, 'checkpoints'> },
  store: ChainStateStore,
): Promise<boolean> {
  const { state, finalizedChanges } = store;
  const { database } = deps;
  const { transactions, blocks } = deps.settings.checkpoints ?? distance;
  const through = Math.floor((state.finalized + 1) / blocks) * blocks - 1;
  if (through <= (await readMark(deps, checkpointsJob)) || !(await isSettled(deps, state, through))) return false;
  const stored = await readCheckpoints(database);
  const due = await database.read('coin_checkpoint_blocks', { through, blocks, transactions });
  const missing = due.map(({ block }) => Number(block)).find((block) => !stored.includes(block));
  const isStored = missing !== undefined && (await storeCheckpoint(deps, state, missing, stored));
  if (!isStored && stored.length > 0)
    await database.execute('store_late_accounts', { ...lateParameters(state, stored), blocks: stored });
  // if rows were replaced during this step, the next round computes the balances again
  if ((await hasRedoRequests(deps)) || store.finalizedChanges !== finalizedChanges) return true;
  if (isStored) await writeMark(deps, checkpointMark(missing), missing);
  else await writeMark(deps, checkpointsJob, through);
  return isStored;
}

/** Returns whether balances at `through` or later and all movements of finalized blocks are stored. */
async function isSettled(deps: StoreDeps, state: ChainState, through: number): Promise<boolean> {
  const { startBlock, finalized } = state;
  if (!isWhole(state) || state.doubtedFrom !== undefined || (await hasRedoRequests(deps))) return false;
  const marks = await Promise.all([balancesJob, withdrawalsJob].map((job) => readMark(deps, job)));
  if (Math.min(...marks) < through) return false;
  return findGaps({ fromBlock: startBlock, toBlock: finalized }, await readTraced(deps)).length === 0;
}

/**
 * Stores the balances after a finalized block, without a mark.
 * @param stored all checkpoints; if none is later, starts from the balances of a node
 * @returns false if later movements do not explain the balances; then earlier balances are unknown too
 */
export async function storeCheckpoint(
  { database, log }: CheckpointDeps,
  state: ChainState,
  block: number,
  stored: readonly number[],
): Promise<boolean> {
  const next = nextCheckpoint(stored, block);
  const parameters = coinParameters(state, block, next);
  const [totals] = await database.read('coin_checkpoint_totals', parameters);
  const [withdrawals, negative] = [Number(totals?.withdrawal_blocks ?? 0), Number(totals?.below_zero ?? 0)];
  if (withdrawals > 0 || negative > 0) {
    log.info({ event: 'checkpoint_unknown', block, withdrawal_blocks: withdrawals, negative_balances: negative });
    return false;
  }
  const isNewest = next === undefined && stored.length > 0;
  const isUncertain = isNewest && (await hasWithdrawals(database, Math.max(...stored) + 1, block));
  // nothing shows which recipients of withdrawals had a balance before, so delete all checkpoints
  if (isUncertain) await forgetCheckpoints({ database });
  await database.execute('store_coin_checkpoint', parameters);
  if (isNewest && !isUncertain)
    await database.execute('store_late_accounts', { ...lateParameters(state, stored, block), blocks: stored });
  return true;
}

async function hasWithdrawals(database: StoreDeps['database'], from: number, to: number): Promise<boolean> {
  return (await database.read('blocks_with_withdrawals', { from_block: from, to_block: to })).length > 0;
}
