import { InvalidChainData } from '#chain/errors.ts';
import type { Interval } from '#chain/intervals.ts';
import { getLast } from '#runtime/lists.ts';
import { chainTables, firstOfPartition, getPartition, lastOfPartition } from '#sql/chain-tables.ts';
import { type ChainState, withRepair } from '#sql/snapshot.ts';
import type { FetchAhead } from '../backfill/fetch-ahead.ts';
import type { CacheDeps, JobDeps, StoreDeps } from '../deps.ts';
import { RangeRows } from '../encode/range-rows.ts';
import {
  forgetCheckpoints,
  forgetRangeMark,
  nameRangeMark,
  readRangeMarks,
  redoJobs,
  writeRangeMark,
} from '../jobs/job-marks.ts';
import { forgetTraced } from '../traces/traced-ranges.ts';
import type { RangeClaims } from '../workers/range-claims.ts';
import type { ChainStateStore } from './chain-state-store.ts';
import { insertRange } from './insert-rows.ts';
import type { Journal } from './journal.ts';
import { removeKnots } from './remove-blocks.ts';
import { type Rollups, reopenedMarks } from './rollups.ts';
import { runFew } from './run-few.ts';

export interface Repair {
  readonly deps: Pick<JobDeps, 'database' | 'log'> & CacheDeps;
  readonly store: ChainStateStore;
  readonly journal: Journal;
  readonly source: FetchAhead;
  readonly rollups: Rollups;
  readonly claims: RangeClaims;
}

/** Prefix of marks for ranges whose rows a repair is replacing. */
const repairPrefix = 'repair of blocks from ';

/**
 * Fetches and checks new blocks, then replaces the rows of a range. Hides blocks from the range up to `followFrom`,
 * until the caller publishes `backfilledBefore` again.
 * @param onReplace called before the first change of stored rows
 * @returns false, with unchanged rows, if the signal aborted before the blocks were fetched
 * @throws InvalidChainData, with unchanged rows, when the nodes' blocks are invalid or parent hashes don't match
 */
export async function repairRange(parts: Repair, range: Interval, onReplace: () => void = () => {}): Promise<boolean> {
  const { deps, store, journal, source } = parts;
  await deps.rawCache?.remove(range); // its cached blocks may be wrong too
  const replacement = await fetchReplacement(source, range, journal, store.state.finalized);
  if (!replacement) return false;
  deps.log.error({ event: 'range_repair', ...range });
  onReplace();
  await hideRange(parts, range, true);
  await writeRangeMark(deps, repairPrefix, range);
  await removeStored(parts, range);
  for (const rows of replacement) await insertRange(deps.database, journal, rows);
  await redoJobs(deps, range);
  await forgetRangeMark(deps, nameRangeMark(repairPrefix, range));
  return true;
}

/**
 * Removes ranges whose repair was interrupted, so that the backfill stores them again. Otherwise it would add new rows
 * to the wrong ones.
 */
export async function clearHalfRepaired(parts: Repair): Promise<void> {
  const { deps, store } = parts;
  for (const range of await readRangeMarks(deps, repairPrefix)) {
    deps.log.warn({ event: 'range_repair_interrupted', ...range });
    // a rewind may have removed blocks since
    const left = { ...range, toBlock: Math.min(range.toBlock, store.state.finalized) };
    if (left.fromBlock <= left.toBlock) await clearMarked(parts, left);
    await forgetRangeMark(deps, range.job);
  }
}

/**
 * Marks a range with wrong rows, and hides it if readers see it. The backfill clears and stores it again, also after a
 * kill.
 */
export async function requestRepair(
  parts: Pick<Repair, 'deps' | 'store' | 'rollups'>,
  { fromBlock, toBlock }: Interval,
): Promise<void> {
  const range = { fromBlock, toBlock };
  await writeRangeMark(parts.deps, repairPrefix, range);
  if (isShown(parts.store.state, range)) await hideRange(parts, range, true);
}

const isShown = ({ backfilledBefore, followFrom }: ChainState, { fromBlock, toBlock }: Interval): boolean =>
  fromBlock < backfilledBefore || toBlock >= followFrom;

/** Removes the rows of a range, which the backfill then stores again. After a kill, clearHalfRepaired() continues. */
export async function clearRange(parts: Repair, range: Interval): Promise<void> {
  await writeRangeMark(parts.deps, repairPrefix, range);
  await clearMarked(parts, range);
  await forgetRangeMark(parts.deps, nameRangeMark(repairPrefix, range));
}

/** Removes the rows of a range, first hiding them if readers see them. */
async function clearMarked(parts: Repair, range: Interval): Promise<void> {
  if (isShown(parts.store.state, range)) await hideRange(parts, range, true);
  else await redoJobs(parts.deps, range);
  await removeStored(parts, range);
  await parts.claims.release();
}

/**
 * Hides a range whose rows will change, and the later blocks below `followFrom`. Makes rollups and jobs process the
 * range again, also after a kill.
 * @param isRepair true: readers have seen rows of the range, so their cursors become invalid
 */
export async function hideRange(
  { deps, store, rollups }: Pick<Repair, 'deps' | 'store' | 'rollups'>,
  range: Interval,
  isRepair: boolean,
): Promise<void> {
  await forgetCheckpoints(deps);
  await rollups.reopen(() =>
    store.retract((state) => ({
      backfilledBefore: Math.min(state.backfilledBefore, range.fromBlock),
      followFrom: range.toBlock >= state.followFrom ? Math.max(range.toBlock + 1, state.followFrom) : state.followFrom,
      ...reopenedMarks(state),
      reorgGeneration: state.reorgGeneration + 1,
      ...(isRepair && { repairs: withRepair(state, range.fromBlock) }),
    })),
  );
  await redoJobs(deps, range);
}

async function removeStored(
  { deps, journal, claims }: Pick<Repair, 'deps' | 'journal' | 'claims'>,
  range: Interval,
): Promise<void> {
  await claims.seize(range); // so that a late worker can't mark the range as done
  await journal.forget(range);
  await removeFinalRows(deps, range);
}

/** Removes the final rows of a range with its traces and wallet events, but not its journal entries. */
export async function removeFinalRows(deps: StoreDeps, range: Interval): Promise<void> {
  await forgetTraced(deps, range);
  const { database } = deps;
  for (let from = range.fromBlock; from <= range.toBlock; ) {
    const to = Math.min(lastOfPartition(from), range.toBlock);
    const window = { partition_id: `1-${getPartition(from)}`, from_block: from, to_block: to };
    await runFew(chainTables.map((table) => () => database.execute('delete_between', { table, ...window })));
    from = to + 1;
  }
  await removeKnots(deps, range);
}

async function fetchReplacement(
  source: FetchAhead,
  range: Interval,
  journal: Journal,
  finalized: number,
): Promise<RangeRows[] | undefined> {
  const parts: RangeRows[] = [];
  let parentHash = journal.getHash(range.fromBlock - 1);
  let next = range.fromBlock;
  for await (const piece of source.blocks(range)) {
    if ('quarantined' in piece)
      throw new InvalidChainData('null_block', piece.quarantined, `the block can't be fetched again: ${piece.reason}`);
    const { fromBlock, toBlock, lastHash } = piece.summary;
    if (parentHash !== undefined && piece.summary.parentHash !== parentHash)
      throw new InvalidChainData(
        'parent_link',
        fromBlock,
        `the block has parent ${piece.summary.parentHash}, expected ${parentHash}`,
      );
    if (parts.length === 0 || fromBlock === firstOfPartition(fromBlock)) parts.push(new RangeRows(1));
    getLast(parts).append(piece);
    parentHash = lastHash;
    next = toBlock + 1;
  }
  if (next <= range.toBlock) return undefined;
  // the first unfinalized block has this hash as parent hash
  const above = range.toBlock === finalized ? journal.getHash(finalized) : undefined;
  const after = journal.getParentHash(range.toBlock + 1) ?? above;
  if (after !== undefined && after !== parentHash)
    throw new InvalidChainData(
      'parent_link',
      range.toBlock,
      `the block has hash ${parentHash}, but the next block has parent ${after}`,
    );
  return parts;
}
