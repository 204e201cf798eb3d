/** Daily values equal those of the charts, and include the newest block. @source docs/compatible.md */
import { isoTime, parseIsoDay } from '#chain/codec/iso-time.ts';
import type { ChainState } from '#sql/snapshot.ts';
import { fat, ratio } from '../read/charts/decimals.ts';
import { needsEarlierBlocks } from '../read/charts/earlier-blocks.ts';
import { always, type SeriesReader } from '../read/charts/series-reader.ts';
import type { CoverageDeps, SnapshotDeps, TimeDeps } from '../read/reader-deps.ts';
import { type EmissionDeps, emissionOfBuckets } from '../read/supply/emitted.ts';
import { bucketStart, bucketsBetween } from '../terms/buckets.ts';
import type { Figures } from '../terms/figures.ts';
import { type CompatibleAction, CompatibleError, noRecords } from './action.ts';
import { assertDays } from './covered.ts';

type Fields = (figures: Figures | undefined, emitted: bigint) => Record<string, string | number>;

const daySeconds = 86_400;
const reward = (figures: Figures | undefined, emitted: bigint) =>
  fat((figures ? figures.counts.fees - figures.counts.burned : 0n) + emitted);
const mean = (figures: Figures | undefined, name: 'gas_limit' | 'block_bytes') =>
  figures ? figures.counts[name] / figures.counts.block_count : 0n;

/** The row of a day without blocks has zeros. */
export const dailySeries: Record<string, Fields> = {
  dailytx: (day) => ({ transactionCount: Number(day?.counts.transaction_count ?? 0) }),
  dailynewaddress: (day) => ({ newAddressCount: Number(day?.actors.address.fresh ?? 0) }),
  dailytxnfee: (day) => ({ transactionFee_Eth: fat(day?.counts.fees ?? 0n) }),
  dailynetutilization: (day) => ({
    networkUtilization: (day && ratio(day.counts.gas_used, day.counts.gas_limit, 6)) ?? '0',
  }),
  dailyblkcount: (day, emitted) => ({
    blockCount: Number(day?.counts.block_count ?? 0),
    blockRewards_Eth: reward(day, emitted),
  }),
  dailyblockrewards: (day, emitted) => ({ blockRewards_Eth: reward(day, emitted) }),
  dailyavggaslimit: (day) => ({ gasLimit: String(mean(day, 'gas_limit')) }),
  dailygasused: (day) => ({ gasUsed: String(day?.counts.gas_used ?? 0n) }),
  dailyavggasprice: (day) => ({
    maxGasPrice_Wei: String(day?.extremes.gas_price_max ?? 0n),
    minGasPrice_Wei: String(day?.extremes.gas_price_min ?? 0n),
    avgGasPrice_Wei: (day && ratio(day.counts.gas_price_sum, day.counts.transaction_count, 0)) ?? '0',
  }),
  dailyavgblocksize: (day) => ({ blockSize_bytes: Number(mean(day, 'block_bytes')) }),
  dailyavgblocktime: (day) => ({
    blockTime_sec: (day && ratio(day.counts.interval_seconds, day.counts.interval_count, 2)) ?? '0',
  }),
};

/** Returns the start of a day, Unix seconds. @throws CompatibleError if the text is not a date */
export function parseDay(text: string | undefined): number {
  const time = parseIsoDay(text ?? '');
  if (time === undefined) throw new CompatibleError('Error! Invalid date format, must be yyyy-MM-dd');
  return Math.max(0, time);
}

interface DailyDeps extends SnapshotDeps, CoverageDeps, TimeDeps {
  readonly series: SeriesReader;
}

/** @throws CompatibleError if the days may lack blocks, or blocks before START_BLOCK can change the days from `from` on */
async function assertKnownDays(
  deps: DailyDeps,
  state: ChainState,
  { from, to, needsAllBlocks = false }: { from: number; to: number; needsAllBlocks?: boolean },
): Promise<void> {
  await assertDays(deps, state, to);
  if (!(await needsEarlierBlocks(deps, state, { kind: 'flow', needsAllBlocks }, { from, points: [] }))) return;
  const first = (await deps.blockTimes.first(state)) ?? 0;
  const day = isoTime(bucketStart('day', first + daySeconds - 1)).slice(0, 10);
  throw new CompatibleError(
    `Error! Blocks before block ${state.startBlock} are not indexed here (START_BLOCK)${needsAllBlocks ? ', so first occurrences are unknown' : `: request days from ${day} on`}`,
  );
}

const noEmission: ReadonlyMap<number, bigint> = new Map();
export const rewardSeries: readonly string[] = ['dailyblkcount', 'dailyblockrewards'];

/** One row per requested day since the first indexed day. */
export const dailyAction =
  (fields: Fields, { showsRewards = false, needsAllBlocks = false } = {}): CompatibleAction<DailyDeps & EmissionDeps> =>
  ({ deps, parameters, proof }) => {
    const [from, to] = [parseDay(parameters.get('startdate')), parseDay(parameters.get('enddate'))];
    return deps.snapshots.run(async (state) => {
      await assertKnownDays(deps, state, { from, to, needsAllBlocks });
      const series = await deps.series.read('day', state, always);
      const first = Math.max(from, bucketStart('day', (await deps.blockTimes.chartStart(state)) ?? 0));
      const last = Math.min(to, bucketStart('day', await deps.blockTimes.head(state)));
      // no block can exist on these days: they are after the newest block, or before the first
      proof.isCovered = from > last || (to < first && state.startBlock === 0);
      if (first > last) throw noRecords();
      const starts = bucketsBetween('day', first, last);
      const emitted = showsRewards ? await emissionOfBuckets(deps, state, { resolution: 'day', starts }) : noEmission;
      const rows = starts.map((time) => ({
        UTCDate: isoTime(time).slice(0, 10),
        unixTimeStamp: String(time),
        ...fields(series.get(time), emitted.get(time) ?? 0n),
      }));
      return parameters.get('sort')?.toLowerCase() === 'desc' ? rows.reverse() : rows;
    });
  };

export const totalFees: CompatibleAction<DailyDeps> = ({ deps, parameters }) => {
  const day = parseDay(parameters.get('date'));
  return deps.snapshots.run(async (state) => {
    await assertKnownDays(deps, state, { from: day, to: day });
    const series = await deps.series.read('day', state, { from: day, to: day + daySeconds - 1 });
    const figures = series.get(day);
    if (!figures) throw noRecords();
    return { total_fees: figures.counts.fees.toString() };
  });
};
