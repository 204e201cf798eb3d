/**
 * Finds blocks of which the database has lost rows. Only few tables are written to the disk before an insert ends: after
 * a power failure, rows of the last seconds can be missing that the journal or the chain state counts.
 */
import { mergeIntervals } from '#chain/intervals.ts';
import { readMark } from '#sql/job-marks.ts';
import type { ChainState } from '#sql/snapshot.ts';
import type { PipelineDeps, StoreDeps } from '../deps.ts';
import { writeMark } from '../jobs/job-marks.ts';
import type { Difference } from '../verify/compare-rows.ts';
import { findTableDifferences } from '../verify/verify-chain.ts';
import { type Repair, requestRepair } from './repair-range.ts';

type Parts = Pick<Repair, 'deps' | 'store' | 'rollups'>;

const checkedJob = 'rows checked after a start of the database';
/** The database reports its uptime in whole seconds, and its clock may be adjusted. */
const startToleranceSeconds = 5;
/** Linux writes changed pages to the disk after 30 s; a busy disk takes longer. @source Linux, vm.dirty_expire_centisecs */
const unwrittenSeconds = 300;

/** Returns the Unix time at which the database started; undefined if the rows were checked since. */
export async function findUncheckedStart(deps: StoreDeps): Promise<number | undefined> {
  const { started_at } = await deps.database.readOne('database_start');
  const checked = await readMark(deps, checkedJob);
  return Math.abs(started_at - checked) <= startToleranceSeconds ? undefined : started_at;
}

/** Returns differences between the tables in unfinalized blocks up to the head. */
export const findLostUnfinalized = (deps: PipelineDeps, state: ChainState): Promise<Difference[]> =>
  findTableDifferences(deps, state, { fromBlock: state.finalized + 1, toBlock: state.head, isFinal: false });

/**
 * Hides the ranges of finalized blocks that were stored last and lack rows, and marks them: the backfill stores them
 * again.
 */
export async function hideLost(parts: Parts): Promise<void> {
  const { deps, store } = parts;
  const rows = await deps.database.read('recent_ranges', { seconds: unwrittenSeconds });
  const recent = rows.map((row) => ({ fromBlock: Number(row.from_block), toBlock: Number(row.to_block) }));
  for (const stretch of mergeIntervals(recent)) {
    const differences = await findTableDifferences(deps, store.state, { ...stretch, isFinal: true });
    const [first] = differences;
    if (!first) continue;
    deps.log.error({ event: 'rows_lost', ...stretch, differences: differences.length, first });
    await requestRepair(parts, stretch);
  }
}

export const recordChecked = (deps: StoreDeps, start: number): Promise<void> => writeMark(deps, checkedJob, start);
