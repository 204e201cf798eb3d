/** @source docs/compatible.md */
import { fetchBlocks } from '#chain/rpc/fetch-blocks.ts';
import { fetchCalls } from '#chain/rpc/fetch-calls.ts';
import { known } from '#runtime/known.ts';
import { getFirst, splitIntoChunks } from '#runtime/lists.ts';
import { type ChainState, finalThrough, snapshotParameters } from '#sql/snapshot.ts';
import { anywhere } from '../cache/cache.ts';
import type { TraceDeps } from '../read/accounts/internal-calls/trace-live.ts';
import { findBlock } from '../read/chain/find-block.ts';
import { chainHead } from '../read/chain/freshness.ts';
import { type ReachDeps, reachBlock } from '../read/chain/reach-block.ts';
import type { CoverageDeps, NodeDeps, SnapshotDeps, StoreDeps, TimeDeps } from '../read/reader-deps.ts';
import { type EmissionDeps, emissionOfBlocks } from '../read/supply/emitted.ts';
import { paceBlocks } from '../tail/recent-blocks.ts';
import type { BlockRecord } from '../terms/records.ts';
import { type CompatibleAction, CompatibleError, type CompatibleRequest, noRecords } from './action.ts';
import { assertCovered, assertFirstBlocks, assertNotSilent } from './covered.ts';
import { parseBlock } from './parameters.ts';

const maxTimes = 1_000;
/** Number of times that cost as much as one request. Each needs its own SQL statement. */
const timesPerCost = 4;
const timesAtOnce = 8;
const noBlock = () => new CompatibleError('Error! No closest block found');

/** Several times (`timestamps=a,b,c`) return a list of blocks. */
export const blockByTime: CompatibleAction<ReachDeps & CoverageDeps & TimeDeps> = async ({
  deps,
  parameters,
  charge,
}) => {
  const closest = parameters.get('closest')?.toLowerCase() || 'before';
  if (closest !== 'before' && closest !== 'after')
    throw new CompatibleError('Error! The parameter closest must be before or after');
  const many = parameters.get('timestamps');
  const times = (many ?? parameters.get('timestamp') ?? '').split(',').map((text) => text.trim());
  if (times.length > maxTimes)
    throw new CompatibleError(`Error! Maximum of ${maxTimes} timestamps, got ${times.length}`);
  if (!times.every((time) => /^\d{1,12}$/.test(time)))
    throw new CompatibleError('Error! Invalid timestamp: must be Unix seconds, decimal');
  await charge(Math.ceil(times.length / timesPerCost) - 1, 0);
  const known = await headNow(deps);
  await reachBlock(deps, known);
  const read = async (state: ChainState) => {
    assertCovered(deps, state, state.startBlock, state.head);
    const blocks: (number | undefined)[] = [];
    for (const some of splitIntoChunks(times, timesAtOnce))
      blocks.push(...(await Promise.all(some.map((time) => heightAt(deps, state, Number(time), closest)))));
    // a block that is not indexed yet may be closer to the requested time
    const isAtTip = blocks.some((block) => block === undefined || block === state.head);
    if (isAtTip) assertCovered(deps, state, state.head, Math.max(state.head, known));
    if (isAtTip) assertNotSilent(deps, state);
    if (many === undefined) {
      if (blocks[0] === undefined) throw noBlock();
      return String(blocks[0]);
    }
    return times.map((timestamp, i) => ({
      timestamp,
      blockNumber: blocks[i] === undefined ? null : String(blocks[i]),
    }));
  };
  return deps.snapshots.run(read, { isExpensive: times.length > timesAtOnce });
};

/** Returns -1 before any block is indexed. */
async function headNow(deps: ReachDeps): Promise<number> {
  const state = await deps.snapshots.current();
  return state ? chainHead(deps, state) : -1;
}

async function heightAt(deps: TimeDeps, state: ChainState, time: number, closest: 'before' | 'after') {
  const next = await deps.blockTimes.blockAt(state, closest === 'after' ? time : time + 1);
  // a block before the first indexed one may be closer to the time
  if (next === state.startBlock) assertFirstBlocks(state, 'Blocks are known');
  if (closest === 'after') return next;
  const last = (next ?? state.head + 1) - 1;
  return last < state.startBlock ? undefined : last;
}

async function withBlock<T>(
  { deps, parameters }: CompatibleRequest<ReachDeps>,
  read: (state: ChainState) => Promise<T>,
) {
  const text = parameters.get('blockno')?.trim() ?? '';
  if (/^(\d+|0x[0-9a-f]+)$/i.test(text)) await reachBlock(deps, Number(text));
  return deps.snapshots.run(read);
}

type BlockDeps = StoreDeps & CoverageDeps;

async function requireBlock(
  { deps, parameters }: CompatibleRequest<BlockDeps>,
  state: ChainState,
): Promise<BlockRecord> {
  const number = parseBlock(parameters, 'blockno', { heights: { head: state.head, finalized: finalThrough(state) } });
  assertCovered(deps, state, number, number);
  const row = await findBlock(deps, state, number);
  if (!row) throw noRecords();
  return row;
}

/** The reward is fees minus burned fees, plus the emission if its source is configured. */
export const blockReward: CompatibleAction<BlockDeps & ReachDeps & EmissionDeps> = (request) =>
  withBlock(request, async (state) => {
    const block = await requireBlock(request, state);
    const ref = {
      number: Number(block.block_number),
      hash: block.block_hash,
      parentHash: block.parent_hash,
      producer: block.miner_hex,
    };
    const emitted = known(
      (await emissionOfBlocks(request.deps, state, [ref])).get(ref.number),
      'the emission of a block',
    );
    return {
      blockNumber: block.block_number,
      timeStamp: String(block.time),
      blockMiner: block.miner_hex,
      blockReward: (BigInt(block.fees_wei) - BigInt(block.burned_wei) + emitted).toString(),
      uncles: [],
      uncleInclusionReward: '0',
    };
  });

export const blockCountdown: CompatibleAction<SnapshotDeps & StoreDeps & NodeDeps> = ({ deps, parameters }) => {
  const target = parseBlock(parameters, 'blockno');
  return deps.snapshots.run(async (state) => {
    const known = chainHead(deps, state);
    if (target <= known) throw new CompatibleError('Error! Block number already pass');
    const rows = await deps.database.read('blocks_desc', {
      ...snapshotParameters(state),
      from_block: Math.max(0, state.head - paceBlocks),
      to_block: state.head,
      miner: '',
      min_transactions: 0,
      limit: paceBlocks + 1,
    });
    const [newest, oldest] = [rows[0], rows.findLast(({ time }) => time > 0)]; // a genesis block may have a time of 1970
    if (!newest || !oldest || newest === oldest) throw noRecords();
    const pace = (newest.time - oldest.time) / (Number(newest.block_number) - Number(oldest.block_number));
    return {
      CurrentBlock: String(known),
      CountdownBlock: String(target),
      RemainingBlock: String(target - known),
      EstimateTimeInSec: ((target - known) * pace).toFixed(1),
      IndexHead: String(state.head),
      ChainHead: String(known),
    };
  });
};

/** Extra cost if a node must trace the block. */
const traceCost = 9;

/** Counts internal calls of a block that the index has not traced. A failed trace does not pause use of the node. */
async function countInternal(
  { deps, charge }: CompatibleRequest<TraceDeps>,
  { block_number, block_hash }: BlockRecord,
): Promise<number> {
  const key = `calls of ${block_hash}`;
  if (deps.traces.get(key, anywhere) === undefined) await charge(traceCost, 0);
  try {
    return (await deps.traces.of(key, anywhere, () => traceBlock(deps, Number(block_number), block_hash))) as number;
  } catch {
    throw new CompatibleError(
      `Error! The number of internal transactions of block ${block_number} is unknown: the index has no trace of this block, and the node that was asked can't trace it now`,
    );
  }
}

async function traceBlock({ client }: TraceDeps, number: number, hash: string): Promise<number> {
  const options = { verify: 'links', retries: 1, mayLack: true } as const;
  const { bundles, endpoint } = await fetchBlocks(client, number, number, options);
  if (getFirst(bundles).block.hash.toLowerCase() !== hash) throw new Error(`the node has another block ${number}`);
  const calls = getFirst(await fetchCalls(client, endpoint, bundles, { isOptional: true }));
  return calls.reduce((sum, own) => sum + own.length, 0);
}

export const blockCounts: CompatibleAction<BlockDeps & ReachDeps & TraceDeps> = async (request) => {
  const { block, counts, traced } = await withBlock(request, async (state) => {
    const { database } = request.deps;
    const block = await requireBlock(request, state);
    const parameters = { ...snapshotParameters(state), block_number: block.block_number };
    const [counts, [traced]] = await Promise.all([
      database.readOne('block_counts', parameters),
      database.read('trace_of_block', parameters),
    ]);
    return { block, counts, traced };
  });
  return {
    block: Number(block.block_number),
    txsCount: block.transaction_count,
    // outside the snapshot, because a trace can be slow
    internalTxsCount: traced?.call_count ?? (await countInternal(request, block)),
    erc20TxsCount: Number(counts.erc20_transfers),
    erc721TxsCount: Number(counts.erc721_transfers),
    erc1155TxsCount: Number(counts.erc1155_transfers),
  };
};
