import { InvalidChainData } from '#chain/errors.ts';
import { firstUncovered, mergeIntervals, single } from '#chain/intervals.ts';
import { pause } from '#runtime/shutdown.ts';
import type { CacheDeps, JobDeps, MetricsDeps, ReportDeps } from '../deps.ts';
import type { RangeSummary } from '../encode/range-rows.ts';
import { DeepReorgError, type FinalizedDoubt } from '../follow/doubt.ts';
import { reportMinority } from '../follow/finalized-comparison.ts';
import { redoJobs } from '../jobs/job-marks.ts';
import type { ChainStateStore } from '../store/chain-state-store.ts';
import { insertRange } from '../store/insert-rows.ts';
import type { Journal } from '../store/journal.ts';
import { DatabaseRestart } from '../store/lost-rows.ts';
import type { QuarantinedBlocks } from '../store/quarantined-blocks.ts';
import { clearHalfRepaired, clearRange, hideRange, repairRange } from '../store/repair-range.ts';
import type { Rollups } from '../store/rollups.ts';
import type { RangeClaims } from '../workers/range-claims.ts';
import type { BackfillSettings, FetchSettings } from './backfill-settings.ts';
import type { FetchAhead, Piece } from './fetch-ahead.ts';
import { type PlannedStretch, planBackfill, unrepeatable } from './plan-ranges.ts';
import { BackfillProgress } from './progress.ts';
import { storeClaimed } from './store-claimed.ts';
import { assertBetween, dropUnlinkedFromCache } from './store-stretch.ts';

const defaultQuarantinedRetryMs = 30_000;
/** Pause while other pipelines store the remaining old blocks, ms. */
const pollMs = 250;
/** Pause while a node contradicts finalized blocks, ms. */
const heldPollMs = 500;

interface BackfillDeps extends JobDeps, CacheDeps, ReportDeps, MetricsDeps {
  readonly settings: FetchSettings & BackfillSettings;
}

export interface BackfillParts {
  readonly deps: BackfillDeps;
  readonly store: ChainStateStore;
  readonly journal: Journal;
  readonly quarantined: QuarantinedBlocks;
  readonly source: FetchAhead;
  readonly rollups: Rollups;
  readonly claims: RangeClaims;
  readonly doubt: FinalizedDoubt;
  /** Called for a block without valid data. */
  readonly onQuarantined?: ((block: number) => void) | undefined;
}

interface BackfillChecks {
  /** Called when only quarantined blocks are missing; returns false after it changed rows. */
  audit(): Promise<boolean>;
  /** Returns whether the running part must end for a check of the database. */
  isCheckDue(): boolean;
  /** Called before each part. @throws DatabaseRestart */
  checkDatabase(): Promise<void>;
}

/**
 * Loads old blocks until all are stored and none is quarantined (without valid data), or the signal aborts.
 * @throws DeepReorgError, DatabaseRestart
 */
export async function runBackfill(parts: BackfillParts, checks: BackfillChecks): Promise<void> {
  const { deps, claims } = parts;
  const { signal, log } = deps;
  const planned = getPlan(parts);
  const blocks = planned.reduce((sum, stretch) => sum + stretch.toBlock - stretch.fromBlock + 1, 0);
  if (blocks > 0)
    log.info({ event: 'backfill_planned', stretches: planned.length, blocks }, `${blocks} blocks of history to index`);
  const progress = new BackfillProgress(blocks, log);
  let pauseMs = 500;
  while (!signal.aborted) {
    try {
      const hasMore = await storeMissing(parts, progress, checks);
      deps.report.set({ historyFault: null });
      if (!hasMore) break;
      pauseMs = 500;
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof DeepReorgError || error instanceof DatabaseRestart) throw error;
      log.warn({ event: 'backfill_error', error: String(error), retryInMs: pauseMs });
      deps.report.set({ historyFault: String(error) });
      await repairSeam(parts, error);
      await claims.release().catch(() => {});
      await pause(pauseMs, signal);
      pauseMs = Math.min(pauseMs * 2, 30_000);
    }
  }
  if (blocks > 0 && !signal.aborted) progress.finish();
}

/** Stores a part of the missing blocks. @returns false if none is missing */
async function storeMissing(
  parts: BackfillParts,
  progress: BackfillProgress,
  { audit, isCheckDue, checkDatabase }: BackfillChecks,
): Promise<boolean> {
  if (parts.doubt.isHeld) {
    await pause(heldPollMs, parts.deps.signal); // history must not mix blocks of two branches
    return true;
  }
  await checkDatabase();
  await clearHalfRepaired(parts);
  await clearUnrepeatable(parts);
  const plan = getPlan(parts);
  if (plan.length > 0) await storePart(parts, plan, progress, isCheckDue);
  else if (parts.journal.brokenSeams.length > 0) await repairSeams(parts);
  else {
    await advance(parts);
    if (parts.quarantined.numbers.length === 0) return false;
    if (await audit()) await retryQuarantined(parts);
  }
  return true;
}

const getPlan = ({ store, journal, quarantined }: Pick<BackfillParts, 'store' | 'journal' | 'quarantined'>) =>
  planBackfill(store.state, journal, quarantined);

async function storePart(
  parts: BackfillParts,
  plan: readonly PlannedStretch[],
  progress: BackfillProgress,
  isCheckDue: () => boolean,
): Promise<void> {
  const { deps, journal, quarantined, claims } = parts;
  const before = new Set(quarantined.numbers);
  const unit = await claims.claim(plan);
  if (unit) {
    await storeClaimed(unit, {
      ...parts,
      planNow: async () => (parts.doubt.isHeld || isCheckDue() ? [] : getPlan(parts)), // must not mix branches
      onRange: async (range: RangeSummary) => {
        progress.add(range);
        await advance(parts);
      },
    });
  } else await pause(pollMs, deps.signal);
  if (deps.signal.aborted) return;
  await Promise.all([journal.refresh(), quarantined.load()]);
  for (const block of quarantined.numbers.filter((each) => !before.has(each))) parts.onQuarantined?.(block);
  for (const seam of parts.doubt.isHeld ? [] : journal.brokenSeams) await repairBlocks(parts, [seam, seam + 1]);
  await advance(parts);
}

/** Repairs adjacent ranges of different branches. @throws Error if one fails: history above stays hidden */
async function repairSeams(parts: BackfillParts): Promise<void> {
  const { journal } = parts;
  for (const seam of journal.brokenSeams) await repairBlocks(parts, [seam, seam + 1]);
  await advance(parts);
  const [left] = journal.brokenSeams;
  if (left !== undefined)
    throw new Error(`block ${left + 1} names another parent than block ${left}, and no node returned both again`);
}

/** Removes the rows of ranges whose insert can't be repeated, so that the backfill loads their other blocks. */
async function clearUnrepeatable(parts: BackfillParts): Promise<void> {
  const { journal, quarantined } = parts;
  for (const range of unrepeatable(journal.interrupted, quarantined.numbers)) await clearRange(parts, range);
}

/** Publishes up to which block history is complete. Quarantined blocks (without valid data) don't count as gaps. */
async function advance({ store, journal, quarantined, rollups }: BackfillParts): Promise<void> {
  const { startBlock } = store.state;
  const missing = quarantined.numbers;
  const cleared = missing.filter((block) => unrepeatable(journal.interrupted, [block]).length === 0);
  const covered = firstUncovered(startBlock, [...journal.doneIntervals, ...cleared.map(single)]);
  const before = Math.min(covered, ...journal.brokenSeams.map((last) => last + 1));
  const isOther = String(missing) !== String(store.state.quarantined);
  if (isOther || before > store.state.backfilledBefore) {
    await store.publish((state) => ({
      backfilledBefore: Math.max(before, state.backfilledBefore),
      quarantined: missing,
    }));
  }
  rollups.request();
}

/**
 * Retries quarantined blocks (without valid data). Before storing one, hides it and all later blocks, so that no reader
 * sees a partial block.
 */
async function retryQuarantined(parts: BackfillParts): Promise<void> {
  const { deps, journal, quarantined, source } = parts;
  await pause(deps.settings.quarantinedRetryMs ?? defaultQuarantinedRetryMs, deps.signal);
  for (const block of quarantined.numbers) {
    if (deps.signal.aborted || parts.doubt.isHeld) return;
    const piece = await fetchOne(source, block);
    if (!piece) return;
    if ('quarantined' in piece) {
      await quarantined.park(block, piece.reason, piece.attempts);
      parts.onQuarantined?.(block);
      continue;
    }
    assertBetween(piece, journal);
    await hideRange(parts, single(block), false);
    await insertRange(deps.database, journal, piece);
    await quarantined.resolve(block);
    await redoJobs(deps, single(block));
    await advance(parts);
  }
}

async function fetchOne(source: FetchAhead, block: number): Promise<Piece | undefined> {
  for await (const piece of source.blocks(single(block))) return piece;
  return undefined;
}

/** Repairs both ranges around mismatching hashes, because either may be wrong. */
async function repairSeam(parts: BackfillParts, error: unknown): Promise<void> {
  if (!(error instanceof InvalidChainData) || error.violation !== 'parent_link' || parts.doubt.isHeld) return;
  await dropUnlinkedFromCache(parts.deps, error);
  await reportMinority(parts.deps, error.blockNumber);
  await repairBlocks(parts, [error.blockNumber - 1, error.blockNumber + 1]).catch((repairError: unknown) =>
    parts.deps.log.warn({ event: 'repair_error', error: String(repairError) }),
  );
}

async function repairBlocks(parts: BackfillParts, blocks: readonly number[]): Promise<void> {
  const ranges = mergeIntervals(blocks.flatMap((block) => parts.journal.rangeWith(block) ?? []));
  for (const range of ranges) await repairRange(parts, range);
}
