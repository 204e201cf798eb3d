import { RawCache } from '#chain/raw-cache/raw-cache.ts';
import { codesJob, knotsJob } from '#sql/job-marks.ts';
import { withRepair } from '#sql/snapshot.ts';
import type { RowOf } from '#sql/statement-types.ts';
import type { JobDeps } from '../deps.ts';
import { hashesAbove } from '../follow/doubt.ts';
import { detectionTime, type Reorg, recordIntent, reorgIntent } from '../follow/record-reorg.ts';
import { forgetBalances, forgetCheckpoints, reopenJobs } from '../jobs/job-marks.ts';
import { forgetTraced } from '../traces/traced-ranges.ts';
import { type PauseDeps, withoutPipelines } from '../workers/pause-pipelines.ts';
import { ChainStateStore, undoubted } from './chain-state-store.ts';
import { Journal } from './journal.ts';
import { keepFinalizedOrphans, keepOrphans } from './keep-orphans.ts';
import { QuarantinedBlocks } from './quarantined-blocks.ts';
import { removeFinalizedAbove, removeKnots, removeUnfinalized } from './remove-blocks.ts';
import { emptyRollups, reopenedMarks } from './rollups.ts';

interface RewindDeps extends Pick<JobDeps, 'database' | 'log'>, Pick<PauseDeps, 'leaseMs'> {
  /** Directory of raw blocks, to remove the blocks there too: otherwise a pipeline would store them again. */
  readonly rawCacheDir?: string;
}

/**
 * Removes all blocks above `block`.
 * @throws RangeError like rewindHeld, and while a pipeline runs
 */
export function rewind(deps: RewindDeps, block: number): Promise<void> {
  return withoutPipelines(deps, (database) => rewindHeld({ ...deps, database }, block));
}

/**
 * Removes all blocks above `block`; a running pipeline stores them again. If nodes contradict them, records all of them
 * as a reorg, else only the unfinalized ones, which the chain may replace. Copies the transactions of recorded blocks.
 * @throws RangeError when nothing is stored, or `block` is not stored or not between start block and head
 */
export async function rewindHeld(deps: RewindDeps, block: number, isReorg?: boolean): Promise<void> {
  const store = new ChainStateStore(deps);
  if (!(await store.load())) throw new RangeError('nothing is stored yet: start the pipeline first');
  const { startBlock, head, doubtedFrom } = store.state;
  // `block` may equal the head, which an interrupted rewind has lowered
  if (block < startBlock || block > head)
    throw new RangeError(`block must be between ${startBlock} and ${head}, got ${block}`);
  const { hash: headHash } = await readHeader(deps, block);
  // first record a reorg that an interrupted process left, because this rewind would replace it
  if (!reorgIntent(store.state)?.isRewind) await recordIntent(deps.database, store);
  const reorg = await getReorg(deps, store, block, isReorg ?? doubtedFrom !== undefined);
  if (deps.rawCacheDir !== undefined) await removeRaw(deps.database, deps.rawCacheDir, block + 1);
  await forgetCheckpoints(deps);
  await store.retract((state) => ({
    ...undoubted,
    reorgIntent: JSON.stringify(reorg),
    finalized: Math.min(state.finalized, block),
    head: block,
    headHash,
    backfilledBefore: Math.min(state.backfilledBefore, block + 1),
    followFrom: Math.min(state.followFrom, block + 1),
    droppedThrough: Math.min(state.droppedThrough, block),
    quarantined: state.quarantined.filter((number) => number <= block),
    // readers of finalized rows then notice the removal, even where the new blocks have the same hashes
    repairs: withRepair(state, block + 1),
    reorgGeneration: state.reorgGeneration + 1,
    ...reopenedMarks(state),
  }));
  await emptyRollups(deps);
  await new Journal(deps).rewind(block, headHash);
  await new QuarantinedBlocks(deps).rewind(block);
  await forgetTraced(deps, { fromBlock: block + 1, toBlock: Number.MAX_SAFE_INTEGER });
  await removeUnfinalized(deps, (number) => number > block);
  await reopenJobs(deps, block + 1, [knotsJob, codesJob]);
  await forgetBalances(deps);
  await removeFinalizedAbove(deps, block);
  await removeKnots(deps, { fromBlock: block + 1, toBlock: Number.MAX_SAFE_INTEGER });
  await recordIntent(deps.database, store);
  await store.assertHeld();
  deps.log.warn({ event: 'rewound', block, reorg: reorg.unlistedAbove === undefined });
}

async function removeRaw(database: RewindDeps['database'], directory: string, fromBlock: number): Promise<void> {
  const [identity] = await database.read('chain_identity');
  if (!identity) return;
  const cache = await RawCache.open(directory, { id: Number(identity.chain_id), genesis: identity.genesis_hash });
  await cache.remove({ fromBlock, toBlock: Number.MAX_SAFE_INTEGER });
}

/** Returns what the chain state records until the rewind is done. The next start continues an interrupted one. */
async function getReorg(deps: RewindDeps, store: ChainStateStore, block: number, isReorg: boolean): Promise<Reorg> {
  const earlier = reorgIntent(store.state);
  if (earlier?.isRewind && earlier.forkBlock === block) return earlier;
  const rewound = {
    detectedMs: await detectionTime(deps.database),
    forkBlock: block,
    added: [],
    isRewind: true,
  };
  const { finalized, head } = store.state;
  if (!isReorg) {
    const unlistedAbove = Math.max(block, finalized);
    await keepOrphans(deps, unlistedAbove, head);
    return { ...rewound, removed: await hashesAbove(deps, unlistedAbove, head), unlistedAbove };
  }
  await keepFinalizedOrphans(deps, block);
  return { ...rewound, removed: await hashesAbove(deps, block, head) };
}

async function readHeader({ database }: RewindDeps, block: number): Promise<RowOf<'stored_header'>> {
  const [row] = await database.read('stored_header', { block_number: block });
  if (!row) throw new RangeError(`block ${block} is not stored`);
  return row;
}
