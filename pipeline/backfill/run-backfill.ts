/** Fills everything below where following began: planned from the journal, so it can stop and go on anywhere. */

import { InvalidChainData } from '#chain/errors.ts';
import { pause } from '#runtime/shutdown.ts';
import type { PipelineDeps } from '../deps.ts';
import type { RangeSummary } from '../encode/range-rows.ts';
import { reopenKnots } from '../jobs/job-marks.ts';
import type { ChainStateStore } from '../store/chain-state-store.ts';
import { firstUncovered, type Interval } from '../store/intervals.ts';
import type { Journal } from '../store/journal.ts';
import type { ParkedBlocks } from '../store/parked.ts';
import { repairRange } from '../store/repair-range.ts';
import { type Rollups, reopenedMarks } from '../store/rollups.ts';
import type { FetchAhead } from './fetch-ahead.ts';
import { planRanges } from './plan-ranges.ts';
import { BackfillProgress } from './progress.ts';
import { storeStretch } from './store-stretch.ts';

const defaultParkedRetryMs = 30_000;

export interface BackfillParts {
  readonly deps: PipelineDeps;
  readonly store: ChainStateStore;
  readonly journal: Journal;
  readonly parked: ParkedBlocks;
  readonly source: FetchAhead;
  readonly rollups: Rollups;
}

/** Runs until all of history is stored and nothing is parked, or the signal fires. Faults are retried for ever. */
export async function runBackfill(parts: BackfillParts): Promise<void> {
  const { deps, store, journal, parked } = parts;
  let pauseMs = 500;
  while (!deps.signal.aborted) {
    const whole = { fromBlock: store.state.startBlock, toBlock: store.state.followFrom - 1 };
    const plan = planRanges(whole, coveredBy(journal, parked, whole), journal.interrupted);
    try {
      if (plan.length > 0) await runPlan(parts, plan);
      else if (parked.numbers.length === 0) break;
      else await retryParked(parts);
      pauseMs = 500;
    } catch (error) {
      if (deps.signal.aborted) return;
      deps.log.warn({ event: 'backfill_fault', error: String(error), retryInMs: pauseMs });
      if (error instanceof InvalidChainData) await repairSeam(parts, error);
      await pause(pauseMs, deps.signal);
      pauseMs = Math.min(pauseMs * 2, 30_000);
    }
  }
  await advance(parts);
}

async function runPlan(parts: BackfillParts, plan: ReturnType<typeof planRanges>): Promise<void> {
  const { deps, journal, parked, source } = parts;
  const blocks = plan.reduce((sum, stretch) => sum + stretch.toBlock - stretch.fromBlock + 1, 0);
  deps.log.info({ event: 'backfill_planned', stretches: plan.length, blocks });
  const progress = new BackfillProgress(blocks, deps.log);
  for (const stretch of plan) {
    if (deps.signal.aborted) return;
    await storeStretch(stretch, {
      ...{ deps, journal, source, inOneRange: stretch.interrupted },
      onRange: async (range: RangeSummary) => {
        progress.add(range);
        await advance(parts);
      },
      onParked: ({ parked: block, reason, attempts }) => parked.park(block, reason, attempts),
    });
  }
  if (!deps.signal.aborted) progress.finish();
}

/** Moves the mark up to which history is complete, parked blocks apart, and lets rollups follow. */
async function advance({ deps, store, journal, parked, rollups }: BackfillParts): Promise<void> {
  const { startBlock } = store.state;
  const missing = parked.numbers;
  const before = firstUncovered(startBlock, [...journal.doneIntervals, ...missing.map(single)]);
  const isOther = String(missing) !== String(store.state.parked);
  if (isOther || before > store.state.backfilledBefore) {
    await store.publish((state) => ({
      backfilledBefore: Math.max(before, state.backfilledBefore),
      parked: missing,
    }));
  }
  rollups.close().catch((error: unknown) => deps.log.warn({ event: 'rollup_fault', error: String(error) }));
}

/** Tries parked blocks again, slowly; history above is hidden while one goes in, so no reader sees it in part. */
async function retryParked(parts: BackfillParts): Promise<void> {
  const { deps, store, journal, parked, source, rollups } = parts;
  await pause(deps.settings.parkedRetryMs ?? defaultParkedRetryMs, deps.signal);
  for (const block of parked.numbers) {
    if (deps.signal.aborted) return;
    const before = store.state.backfilledBefore;
    let again: string | undefined;
    // rollups that were closed without the block are computed again
    await rollups.reopen(() =>
      store.retract((state) => ({
        backfilledBefore: Math.min(before, block),
        ...reopenedMarks(state),
        epoch: state.epoch + 1,
      })),
    );
    await storeStretch(single(block), {
      ...{ deps, journal, source },
      onParked: async ({ reason, attempts }) => {
        again = reason;
        await parked.park(block, reason, attempts);
      },
    });
    if (again === undefined && !deps.signal.aborted) {
      await parked.resolve(block);
      await reopenKnots(deps, block);
    }
    await advance(parts);
  }
}

/** Two parts of the journal that don't link: one of them is wrong. What lies at the seam is fetched again. */
async function repairSeam(parts: BackfillParts, fault: InvalidChainData): Promise<void> {
  if (fault.fault !== 'parent_link') return;
  for (const block of [fault.blockNumber - 1, fault.blockNumber + 1]) {
    const range = parts.journal.rangeWith(block);
    if (range) await repairRange(parts, range);
  }
}

const single = (block: number): Interval => ({ fromBlock: block, toBlock: block });

function coveredBy(journal: Journal, parked: ParkedBlocks, whole: Interval): Interval[] {
  const blocks = parked.numbers.filter((block) => block >= whole.fromBlock && block <= whole.toBlock);
  return [...journal.doneIntervals, ...blocks.map(single)];
}
