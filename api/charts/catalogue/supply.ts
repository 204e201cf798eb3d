/** Charts of the supply by its schedule, and of what it and the fees are worth by the trades of the bucket. */
import { dollars } from '../../market/price.ts';
import { emissionAt } from '../../supply/emission.ts';
import { genesisTime } from '../../supply/reconcile.ts';
import { nextBucket } from '../buckets.ts';
import { type Chart, ofOwn } from '../chart.ts';
import { fat } from '../decimals.ts';
import { lastMoment, type OwnSeries, type SeriesRequest } from '../own-series.ts';
import { readTradeSeries } from '../trade-series.ts';

/** Genesis and emission at the end of every bucket, at the head in the last one, wei. */
async function scheduled({ deps, state, resolution, starts, headTime }: SeriesRequest): Promise<Map<number, bigint>> {
  const { schedule, emissionStart } = deps.settings.supply;
  const start = emissionStart ?? (await genesisTime(deps, state));
  const at = (time: number) => schedule.genesis + emissionAt(schedule, start, time).emitted;
  return new Map(starts.map((time) => [time, at(Math.min(nextBucket(resolution, time) - 1, headTime))]));
}

const tradesOf = ({ deps, state, resolution, starts }: SeriesRequest) =>
  readTradeSeries(deps, state, resolution, starts[0]!, starts.at(-1)!);

const supply: OwnSeries = async (request) =>
  new Map([...(await scheduled(request))].map(([time, wei]) => [time, fat(wei)]));

const marketCap: OwnSeries = async (request) => {
  const [wei, trades] = await Promise.all([scheduled(request), tradesOf(request)]);
  return new Map([...trades].map(([time, { quote, base }]) => [time, worth(wei.get(time) ?? 0n, quote, base)]));
};

const feesUsd: OwnSeries = async (request) => {
  const { deps, state, resolution, starts } = request;
  const [series, trades] = await Promise.all([
    deps.series.read(resolution, state, { from: starts[0]!, to: lastMoment(request) }),
    tradesOf(request),
  ]);
  return new Map(
    [...trades].map(([time, { quote, base }]) => [time, worth(series.get(time)?.counts.fees ?? 0n, quote, base)]),
  );
};

/** Wei in dollars at a price of quote for base; null without trades. */
const worth = (wei: bigint, quote: bigint, base: bigint) => (base === 0n ? null : dollars((wei * quote) / base));

export const supplyCharts: readonly Chart[] = [
  ofOwn(
    'growth',
    [
      'nativeCoinSupply',
      'market',
      'Scheduled supply',
      'FAT',
      'Genesis allocation and emission by the schedule up to the end of the bucket; /supply/reconciliation says what else counts',
    ],
    supply,
    { aliases: ['ethersupplygrowth'], tables: [] },
  ),
  ofOwn(
    'rate',
    ['marketCap', 'market', 'Market capitalisation', 'USD', 'Scheduled supply at the price of the bucket'],
    marketCap,
    { aliases: ['marketcap'], tables: ['swaps'] },
  ),
  ofOwn(
    'rate',
    ['txnsFeeUsd', 'market', 'Transaction fees in dollars', 'USD', 'Fees of the bucket at its price'],
    feesUsd,
    { tables: ['blocks', 'swaps'] },
  ),
];
