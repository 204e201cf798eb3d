/**
 * Reads the coins issued to block producers, from a node's RPC method or from events of the reward contract.
 * @source docs/economy.md#supply-apiv1supply
 */
import { known } from '#runtime/known.ts';
import { distinctBy, getFirst, getLast, groupBy } from '#runtime/lists.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import type { RowOf } from '#sql/statement-types.ts';
import { anywhere, Cache } from '../../cache/cache.ts';
import { bucketStart, fixedSeconds, isFixed, nextBucket, type Resolution } from '../../terms/buckets.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { readBlockHashes } from '../chain/block-hashes.ts';
import { oneBucket } from '../market/trades.ts';
import type { NodeDeps, StoreDeps, TimeDeps } from '../reader-deps.ts';
import { readNodeEmission } from './node-emission.ts';
import type { SupplySettings } from './settings.ts';

export interface EmissionDeps extends StoreDeps, TimeDeps, Pick<NodeDeps, 'client'> {
  readonly settings: { readonly supply: Pick<SupplySettings, 'emissionMethod' | 'rewardContract'> };
}

/** Maximum totals per request: each needs a node call. */
const maxTotals = 2_000;
/** Maximum blocks for emissionOfBlocks() with `EMISSION_METHOD`: each needs its total and its parent's. */
export const maxEmissionBlocks = maxTotals / 2;

const cachedTotals = new Cache<bigint>('emission_totals');

interface BlockRef {
  readonly number: number;
  readonly hash: string;
  readonly parentHash: string;
  readonly producer: string;
}

/**
 * Returns emission by block, wei; 0 without EMISSION_METHOD and REWARD_CONTRACT.
 * @throws ApiProblem bad_query if more than 2,000 node calls are needed, node_unavailable if no node answers
 */
export async function emissionOfBlocks(
  deps: EmissionDeps,
  state: ChainState,
  blocks: readonly BlockRef[],
): Promise<Map<number, bigint>> {
  const { emissionMethod, rewardContract } = deps.settings.supply;
  if (emissionMethod !== undefined) {
    const refs = blocks.flatMap(({ number, hash, parentHash }) => [
      { number, hash },
      { number: number - 1, hash: parentHash },
    ]);
    const totals = await readTotals(deps, emissionMethod, refs);
    return new Map(
      blocks.map(({ number, hash, parentHash }) => [
        number,
        known(totals.get(hash), `the emission up to block ${number}`) - (totals.get(parentHash) ?? 0n),
      ]),
    );
  }
  const amounts = new Map(blocks.map(({ number }) => [number, 0n]));
  if (rewardContract === undefined || blocks.length === 0) return amounts;
  const rows = await deps.database.read('rewards_of_blocks', {
    ...snapshotParameters(state),
    contract: rewardContract.slice(2),
    blocks: blocks.map(({ number }) => number),
    producers: blocks.map(({ producer }) => producer.slice(2).toLowerCase()),
  });
  for (const { block_number, wei } of rows) amounts.set(Number(block_number), BigInt(wei));
  return amounts;
}

export interface Buckets {
  readonly resolution: Resolution;
  /** Unix seconds, oldest first. */
  readonly starts: readonly number[];
}

/**
 * Returns emission by time bucket, wei; empty without EMISSION_METHOD and REWARD_CONTRACT.
 * @throws as emissionOfBlocks
 */
export async function emissionOfBuckets(
  deps: EmissionDeps,
  state: ChainState,
  buckets: Buckets,
): Promise<Map<number, bigint>> {
  const { emissionMethod, rewardContract } = deps.settings.supply;
  if (emissionMethod !== undefined) {
    const { starts } = buckets;
    const getEnd = (start: number) => nextBucket(buckets.resolution, start);
    const totalBefore = await readTotalsBefore(deps, state, emissionMethod, [getFirst(starts), ...starts.map(getEnd)]);
    return new Map(starts.map((time) => [time, totalBefore(getEnd(time)) - totalBefore(time)]));
  }
  if (rewardContract === undefined) return new Map();
  const { first, last } = await readBlockRange(deps, state, buckets);
  return inBuckets(
    buckets.resolution,
    await readRewards(deps, state, rewardContract, { first, last }, partSeconds(buckets.resolution)),
  );
}

/**
 * Returns the total emission at the end of each bucket, wei; undefined without EMISSION_METHOD and REWARD_CONTRACT.
 * @throws as emissionOfBlocks
 */
export async function emittedThrough(
  deps: EmissionDeps,
  state: ChainState,
  buckets: Buckets,
): Promise<Map<number, bigint> | undefined> {
  const { emissionMethod, rewardContract } = deps.settings.supply;
  if (emissionMethod !== undefined) {
    const { starts } = buckets;
    const getEnd = (start: number) => nextBucket(buckets.resolution, start);
    const totalBefore = await readTotalsBefore(deps, state, emissionMethod, starts.map(getEnd));
    return new Map(starts.map((time) => [time, totalBefore(getEnd(time))]));
  }
  if (rewardContract === undefined) return undefined;
  const { first, last } = await readBlockRange(deps, state, buckets);
  const [before, within] = await Promise.all([
    readRewards(deps, state, rewardContract, { first: 0, last: first - 1 }, oneBucket),
    readRewards(deps, state, rewardContract, { first, last }, partSeconds(buckets.resolution)),
  ]);
  const earlier = before.map(({ time, wei }) => [time, BigInt(wei)] as const);
  return sumsThrough(buckets, new Map([...earlier, ...inBuckets(buckets.resolution, within)]));
}

async function readBlockRange(deps: TimeDeps, state: ChainState, { resolution, starts }: Buckets) {
  const [first, next] = await Promise.all([
    deps.blockTimes.blockAt(state, getFirst(starts)),
    deps.blockTimes.blockAt(state, nextBucket(resolution, getLast(starts))),
  ]);
  return { first: first ?? state.head + 1, last: (next ?? state.head + 1) - 1 };
}

/**
 * Returns running totals at the end of each time bucket.
 * @param flows amounts by bucket start, including earlier buckets
 */
export function sumsThrough({ starts }: Buckets, flows: ReadonlyMap<number, bigint>): Map<number, bigint> {
  const rows = [...flows].sort(([a], [b]) => a - b);
  let [sum, at] = [0n, 0];
  return new Map(
    starts.map((start) => {
      for (let row = rows[at]; row && row[0] <= start; row = rows[++at]) sum += row[1];
      return [start, sum];
    }),
  );
}

export function inBuckets(resolution: Resolution, rows: readonly RowOf<'rewards_by_bucket'>[]): Map<number, bigint> {
  const groups = groupBy(rows, ({ time }) => bucketStart(resolution, time));
  return new Map([...groups].map(([time, some]) => [time, some.reduce((sum, { wei }) => sum + BigInt(wei), 0n)]));
}

export const partSeconds = (resolution: Resolution) => fixedSeconds[isFixed(resolution) ? resolution : 'day'];

async function readRewards(
  deps: StoreDeps,
  state: ChainState,
  contract: string,
  { first, last }: { readonly first: number; readonly last: number },
  bucketSeconds: number,
): Promise<RowOf<'rewards_by_bucket'>[]> {
  if (first > last) return [];
  return deps.database.read('rewards_by_bucket', {
    ...snapshotParameters(state),
    contract: contract.slice(2),
    from_block: first,
    to_block: last,
    bucket_seconds: bucketSeconds,
  });
}

async function readTotalsBefore(
  deps: EmissionDeps,
  state: ChainState,
  method: string,
  times: readonly number[],
): Promise<(time: number) => bigint> {
  assertCount(times.length);
  const lastBlock = async (time: number) => ((await deps.blockTimes.blockAt(state, time)) ?? state.head + 1) - 1;
  const blocks = new Map(await Promise.all(times.map(async (time) => [time, await lastBlock(time)] as const)));
  const asked = [...new Set(blocks.values())].filter((block) => block >= 0);
  const hashes = await readHashesWithParent(deps, state, asked);
  const totals = await readTotals(
    deps,
    method,
    [...hashes].map(([number, hash]) => ({ number, hash })),
  );
  const totalAt = (block: number) => {
    if (block < 0) return 0n;
    const total = totals.get(hashes.get(block) ?? '');
    if (total === undefined) throw new ApiProblem('indexing', `block ${block} is not indexed`);
    return total;
  };
  const byTime = new Map([...blocks].map(([time, block]) => [time, totalAt(block)]));
  return (time) => known(byTime.get(time), 'the total before a time');
}

/** Returns block hashes by number, also for the block before the first indexed one. */
async function readHashesWithParent(deps: StoreDeps, state: ChainState, blocks: readonly number[]) {
  const hashes = await readBlockHashes(deps, state, blocks);
  const parent = state.startBlock - 1;
  if (!blocks.includes(parent)) return hashes;
  const [first] = await deps.database.read('hashes_of_blocks', {
    ...snapshotParameters(state),
    blocks: [state.startBlock],
  });
  return first ? new Map([...hashes, [parent, first.parent_hex]]) : hashes;
}

async function readTotals(
  deps: Pick<NodeDeps, 'client'>,
  method: string,
  blocks: readonly Pick<BlockRef, 'number' | 'hash'>[],
): Promise<Map<string, bigint>> {
  const asked = distinctBy(blocks, ({ hash }) => hash).filter(({ number }) => number >= 0);
  const getKey = (hash: string) => `${method} ${hash}`;
  const missing = asked.filter(({ hash }) => cachedTotals.get(getKey(hash), anywhere) === undefined);
  assertCount(missing.length);
  const totals = new Map(asked.map(({ hash }) => [hash, cachedTotals.get(getKey(hash), anywhere)]));
  await Promise.all(
    missing.map(async (block) => {
      const total = await readNodeEmission(deps, method, block);
      cachedTotals.set(getKey(block.hash), anywhere, total);
      totals.set(block.hash, total);
    }),
  );
  return totals as Map<string, bigint>;
}

function assertCount(totals: number): void {
  if (totals > maxTotals)
    throw new ApiProblem(
      'bad_query',
      `at most ${maxTotals} emission totals are read from a node per request, this request needs ${totals}: request fewer blocks or buckets`,
    );
}
