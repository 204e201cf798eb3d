import { known } from '#runtime/known.ts';
import { getFirst, getLast } from '#runtime/lists.ts';
import type { ChainState } from '#sql/snapshot.ts';
import { snapshotParameters } from '#sql/snapshot.ts';
import { nextBucket } from '../../terms/buckets.ts';
import type { SeriesReader } from '../charts/series-reader.ts';
import type { CoverageDeps } from '../reader-deps.ts';
import { emissionAt } from './emission.ts';
import {
  type Buckets,
  type EmissionDeps,
  emissionOfBuckets,
  emittedThrough,
  inBuckets,
  partSeconds,
  sumsThrough,
} from './emitted.ts';
import { assertWhole, computeTotalSupply, genesisTime } from './reconcile.ts';
import type { SupplySettings } from './settings.ts';

export interface SupplySeriesDeps extends EmissionDeps, CoverageDeps {
  readonly series: SeriesReader;
  readonly settings: CoverageDeps['settings'] & { readonly supply: SupplySettings };
}

/**
 * Returns the supply at the end of each time bucket, or at the newest block, wei.
 * @throws as emissionOfBlocks; ApiProblem indexing if blocks are missing
 * @source docs/economy.md#supply-apiv1supply
 */
export async function supplyThrough(
  deps: SupplySeriesDeps,
  state: ChainState,
  buckets: Buckets,
  headTime: number,
): Promise<Map<number, bigint>> {
  assertWhole(deps, state);
  const { supply } = deps.settings;
  const [scheduled, emitted, migrated, burned] = await Promise.all([
    readSchedule(deps, state, headTime),
    emittedThrough(deps, state, buckets),
    supply.isMigratedOnTop ? migratedThrough(deps, state, buckets) : undefined,
    supply.areFeesBurned ? burnedThrough(deps, state, buckets) : undefined,
  ]);
  return new Map(
    buckets.starts.map((time) => [
      time,
      computeTotalSupply(supply, {
        emitted: emitted
          ? known(emitted.get(time), 'the emission of a bucket')
          : scheduled(nextBucket(buckets.resolution, time) - 1),
        migrated: migrated?.get(time) ?? 0n,
        burned: burned?.get(time) ?? 0n,
      }),
    ]),
  );
}

/** Returns emission within each time bucket, wei. @throws as supplyThrough */
export async function issuedWithin(
  deps: SupplySeriesDeps,
  state: ChainState,
  buckets: Buckets,
  headTime: number,
): Promise<Map<number, bigint>> {
  assertWhole(deps, state);
  const { emissionMethod, rewardContract } = deps.settings.supply;
  if (emissionMethod !== undefined || rewardContract !== undefined) {
    const flows = await emissionOfBuckets(deps, state, buckets);
    return new Map(buckets.starts.map((time) => [time, flows.get(time) ?? 0n]));
  }
  const scheduled = await readSchedule(deps, state, headTime);
  const issued = (start: number) => scheduled(nextBucket(buckets.resolution, start) - 1) - scheduled(start - 1);
  return new Map(buckets.starts.map((time) => [time, issued(time)]));
}

/** Returns scheduled emission up to a time, at most up to the newest block, wei. */
async function readSchedule(
  deps: SupplySeriesDeps,
  state: ChainState,
  headTime: number,
): Promise<(time: number) => bigint> {
  const { schedule, emissionStart } = deps.settings.supply;
  const start = emissionStart ?? (await genesisTime(deps, state));
  return (time) => emissionAt(schedule, start, Math.min(time, headTime)).emitted;
}

async function migratedThrough(
  deps: SupplySeriesDeps,
  state: ChainState,
  buckets: Buckets,
): Promise<Map<number, bigint>> {
  const bridge = deps.settings.supply.bridge?.slice(2);
  if (bridge === undefined) return new Map();
  const rows = await deps.database.read('mints_by_bucket', {
    ...snapshotParameters(state),
    bridge,
    bucket_seconds: partSeconds(buckets.resolution),
  });
  return sumsThrough(buckets, inBuckets(buckets.resolution, rows));
}

async function burnedThrough(
  deps: Pick<SupplySeriesDeps, 'series'>,
  state: ChainState,
  buckets: Buckets,
): Promise<Map<number, bigint>> {
  const { resolution, starts } = buckets;
  const series = await deps.series.readWithEarlier(resolution, state, { from: getFirst(starts), to: getLast(starts) });
  return sumsThrough(buckets, new Map([...series].map(([time, { counts }]) => [time, counts.burned])));
}
