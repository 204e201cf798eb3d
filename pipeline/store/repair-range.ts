/** Takes a stored range out again, so that the backfill fetches it anew: for rows that disagree with the chain. */
import { blocksPerPartition, chainTables, eraBlocks } from '#sql/chain-tables.ts';
import { getStatement } from '#sql/statements.ts';
import type { PipelineDeps } from '../deps.ts';
import type { ChainStateStore } from './chain-state-store.ts';
import type { Interval } from './intervals.ts';
import type { Journal } from './journal.ts';

export interface Repair {
  readonly deps: PipelineDeps;
  readonly store: ChainStateStore;
  readonly journal: Journal;
}

/**
 * Hides history from the range on, forgets it in the journal, deletes its rows and lowers the marks of rollups.
 * The caller stores it again, which shows history again.
 */
export async function repairRange({ deps, store, journal }: Repair, range: Interval): Promise<void> {
  deps.log.error({ event: 'range_repair', ...range });
  await store.publish((state) => ({
    backfilledBefore: Math.min(state.backfilledBefore, range.fromBlock),
    followFrom: range.toBlock >= state.followFrom ? Math.max(range.toBlock + 1, state.followFrom) : state.followFrom,
    eraThrough: Math.min(state.eraThrough, range.fromBlock - (range.fromBlock % eraBlocks)),
    hourThrough: 0,
    dayThrough: 0,
    epoch: state.epoch + 1,
  }));
  await journal.forget(range);
  const statement = getStatement(deps.statements, 'delete_between');
  const partition_id = `1-${Math.floor(range.fromBlock / blocksPerPartition)}`; // a range never crosses one
  const window = { partition_id, from_block: range.fromBlock, to_block: range.toBlock };
  await Promise.all(chainTables.map((table) => deps.database.execute(statement, { table, ...window })));
}
