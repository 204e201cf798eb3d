/**
 * Finds blocks of which the database has lost rows. Most tables are not on disk when an insert ends, so a power failure
 * can lose rows of the last seconds that journal or chain state count.
 */
import { type Interval, mergeIntervals } from '#chain/intervals.ts';
import { readMark } from '#sql/job-marks.ts';
import type { ChainState } from '#sql/snapshot.ts';
import { exceedsBudget, exceedsLimits, StoreError } from '#sql/store-error.ts';
import type { JobDeps, StoreDeps } from '../deps.ts';
import { writeMark } from '../jobs/job-marks.ts';
import type { Difference } from '../verify/compare-rows.ts';
import { findTableDifferences } from '../verify/verify-chain.ts';
import { type Repair, requestRepair } from './repair-range.ts';

type CompareDeps = Pick<JobDeps, 'database' | 'log' | 'signal'>;
type Parts = Pick<Repair, 'store' | 'rollups'> & { readonly deps: CompareDeps };

export const checkedJob = 'rows checked after a start of the database';
/** The database reports its uptime in whole seconds, and its clock may be adjusted. */
const startToleranceSeconds = 5;
/** Linux writes changed pages to disk after 30 s, a busy disk later. @source Linux, vm.dirty_expire_centisecs */
const unwrittenSeconds = 300;
/** How long to retry a failed statement before comparing fewer blocks, ms. */
const repeatMs = 5_000;
/** Attempts to compare one block while the database lacks memory. */
const maxAttempts = 24;
/** Blocks per comparing statement, whose memory grows with their rows. */
const blocksAtOnce = 10_000;

/** Returns when the database started, Unix seconds; undefined if its rows were checked since. */
export async function findUncheckedStart(deps: StoreDeps): Promise<number | undefined> {
  const { started_at } = await deps.database.readOne('database_start');
  const checked = await readMark(deps, checkedJob);
  return Math.abs(started_at - checked) <= startToleranceSeconds ? undefined : started_at;
}

/** The database was restarted and may have lost rows: the tasks must start again. */
export class DatabaseRestart extends Error {
  override readonly name = 'DatabaseRestart';
}

/** @throws DatabaseRestart if the database was restarted since its rows were checked */
export async function assertChecked(deps: StoreDeps): Promise<void> {
  // the servers of a cluster start at different times
  const isOneServer = deps.database.options.cluster === undefined;
  if (isOneServer && (await findUncheckedStart(deps)) !== undefined)
    throw new DatabaseRestart('the database was restarted: its newest rows are checked');
}

/** Returns differences between the tables in unfinalized blocks up to the head. */
export const findLostUnfinalized = (deps: CompareDeps, state: ChainState): Promise<Difference[]> =>
  findDifferences(deps, state, { fromBlock: state.finalized + 1, toBlock: state.head, isFinal: false });

/**
 * Finds finalized ranges that were stored shortly before the database ended and lack rows. Hides them, and marks them
 * for the backfill to store again.
 * @param startedAt when the database started, Unix seconds
 */
export async function hideLost(parts: Parts, startedAt: number): Promise<void> {
  const { deps, store } = parts;
  const rows = await deps.database.read('recent_ranges', { started_at: startedAt, seconds: unwrittenSeconds });
  const recent = rows.map((row) => ({ fromBlock: Number(row.from_block), toBlock: Number(row.to_block) }));
  for (const part of mergeIntervals(recent).flatMap(split)) {
    const differences = await findDifferences(deps, store.state, { ...part, isFinal: true });
    const [first] = differences;
    if (!first) continue;
    deps.log.error({ event: 'rows_lost', ...part, differences: differences.length, first });
    await requestRepair(parts, part);
  }
}

/**
 * Compares tables. Splits the range if a statement needs too much memory or time, because startup must not fail
 * forever. Retries while the database does not answer.
 */
async function findDifferences(
  deps: CompareDeps,
  state: ChainState,
  range: Interval & { readonly isFinal: boolean },
  attempt = 1,
): Promise<Difference[]> {
  const { fromBlock, toBlock } = range;
  try {
    return await findTableDifferences({ ...deps, database: deps.database.retryingFor(repeatMs) }, state, range);
  } catch (error) {
    if (!(error instanceof StoreError) || deps.signal.aborted) throw error;
    const isTooLarge = exceedsBudget(error);
    if (!isTooLarge && !error.retryable) throw error;
    if (isTooLarge && fromBlock < toBlock) {
      const middle = Math.floor((fromBlock + toBlock) / 2);
      const lower = await findDifferences(deps, state, { ...range, toBlock: middle });
      return [...lower, ...(await findDifferences(deps, state, { ...range, fromBlock: middle + 1 }))];
    }
    // the database does not answer, or other statements may use its memory
    const mayPass = !isTooLarge || (!exceedsLimits(error) && attempt < maxAttempts);
    if (mayPass) return findDifferences(deps, state, range, attempt + 1);
    deps.log.warn({ event: 'rows_not_compared', block: fromBlock, error: String(error) });
    return [];
  }
}

function split({ fromBlock, toBlock }: Interval): Interval[] {
  const starts = Array.from({ length: Math.ceil((toBlock - fromBlock + 1) / blocksAtOnce) }, (_, i) => i);
  return starts.map((i) => ({
    fromBlock: fromBlock + i * blocksAtOnce,
    toBlock: Math.min(fromBlock + (i + 1) * blocksAtOnce - 1, toBlock),
  }));
}

export const recordChecked = (deps: StoreDeps, start: number): Promise<void> => writeMark(deps, checkedJob, start);
