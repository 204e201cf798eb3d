/** Takes a stored range out again, so that the backfill fetches it anew: for rows that disagree with the chain. */
import { blocksPerPartition, chainTables, knotTables } from '#sql/chain-tables.ts';
import { getStatement } from '#sql/statements.ts';
import type { PipelineDeps } from '../deps.ts';
import { reopenKnots } from '../jobs/job-marks.ts';
import { forgetTraced } from '../traces/traced-ranges.ts';
import type { RangeClaims } from '../workers/range-claims.ts';
import type { ChainStateStore } from './chain-state-store.ts';
import type { Interval } from './intervals.ts';
import type { Journal } from './journal.ts';
import { type Rollups, reopenedMarks } from './rollups.ts';

export interface Repair {
  readonly deps: PipelineDeps;
  readonly store: ChainStateStore;
  readonly journal: Journal;
  readonly rollups: Rollups;
  readonly claims: RangeClaims;
}

/**
 * Hides history from the range on, forgets it in the journal, deletes its rows and has all rollups made anew.
 * The caller stores it again, which shows history again.
 */
export async function repairRange({ deps, store, journal, rollups, claims }: Repair, range: Interval): Promise<void> {
  deps.log.error({ event: 'range_repair', ...range });
  await rollups.reopen(() =>
    store.retract((state) => ({
      backfilledBefore: Math.min(state.backfilledBefore, range.fromBlock),
      followFrom: range.toBlock >= state.followFrom ? Math.max(range.toBlock + 1, state.followFrom) : state.followFrom,
      ...reopenedMarks(state),
      epoch: state.epoch + 1,
    })),
  );
  await claims.seize(range); // a worker that is late with it may not call it done any more
  await journal.forget(range);
  await forgetTraced(deps, range);
  const statement = getStatement(deps.statements, 'delete_between');
  const partition_id = `1-${Math.floor(range.fromBlock / blocksPerPartition)}`; // a range never crosses one
  const window = { partition_id, from_block: range.fromBlock, to_block: range.toBlock };
  await Promise.all(chainTables.map((table) => deps.database.execute(statement, { table, ...window })));
  const above = { from_block: range.fromBlock, to_block: range.toBlock };
  const knots = getStatement(deps.statements, 'delete_knots');
  for (const table of knotTables) await deps.database.execute(knots, { table, ...above });
  await reopenKnots(deps, range.fromBlock);
}
