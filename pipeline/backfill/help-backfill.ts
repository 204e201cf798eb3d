import { pause } from '#runtime/shutdown.ts';
import { type ChainState, isBackfilled, readChainState } from '#sql/snapshot.ts';
import type { StoreDeps } from '../deps.ts';
import { Journal } from '../store/journal.ts';
import { QuarantinedBlocks } from '../store/quarantined-blocks.ts';
import { RangeClaims } from '../workers/range-claims.ts';
import type { Worker, WorkerSettings } from '../workers/worker.ts';
import type { BackfillSettings } from './backfill-settings.ts';
import { FetchAhead, type FetchDeps } from './fetch-ahead.ts';
import { planBackfill } from './plan-ranges.ts';
import { storeClaimed } from './store-claimed.ts';

const idleMs = 1_000;
/** Time after which a process without a working node releases its blocks to other pipelines. */
const giveUpMs = 60_000;
const [firstPauseMs, lastPauseMs] = [1_000, 30_000];

export interface HelpDeps extends StoreDeps, FetchDeps {
  readonly settings: FetchDeps['settings'] &
    Pick<BackfillSettings, 'insertTargetRows'> &
    Pick<WorkerSettings, 'claimBlocks'>;
}

/** Loads old blocks while another pipeline follows the chain and repairs ranges with mismatching parent hashes. */
export async function helpBackfill(deps: HelpDeps, worker: Worker): Promise<void> {
  const { database, signal, log, settings } = deps;
  const claims = new RangeClaims(deps, worker, settings.claimBlocks);
  let pauseMs = firstPauseMs;
  while (!signal.aborted) {
    try {
      const state = await readChainState(database);
      const isIdle =
        !state || state.doubtedFrom !== undefined || isBackfilled(state) || !(await storeOne(deps, claims, state));
      if (isIdle) await pause(idleMs, signal);
      pauseMs = firstPauseMs;
    } catch (error) {
      if (signal.aborted) return;
      log.warn({ event: 'backfill_error', error: String(error), retryInMs: pauseMs });
      await claims.release().catch(() => {});
      await pause(pauseMs, signal);
      pauseMs = Math.min(pauseMs * 2, lastPauseMs);
    }
  }
}

async function storeOne(deps: HelpDeps, claims: RangeClaims, state: ChainState): Promise<boolean> {
  const own = { ...deps, database: deps.database.fencedBy(claims.fence, deps.signal) };
  const [journal, quarantined] = [new Journal(own), new QuarantinedBlocks(own)];
  await Promise.all([journal.load(), quarantined.load()]);
  // storing takes up to hours; meanwhile nodes may begin to disagree, or a reorg or repair may replace blocks
  const planNow = async () => {
    const now = await readChainState(deps.database);
    const isChanged = now?.doubtedFrom !== undefined || now?.reorgGeneration !== state.reorgGeneration;
    return isChanged ? [] : planBackfill(now, journal, quarantined);
  };
  const unit = await claims.claim(await planNow());
  if (!unit) return false;
  deps.log.info({ event: 'range_claimed', fromBlock: unit.fromBlock, toBlock: unit.toBlock });
  await storeClaimed(unit, { deps: own, journal, quarantined, claims, planNow, source: new FetchAhead(own, giveUpMs) });
  return true;
}
