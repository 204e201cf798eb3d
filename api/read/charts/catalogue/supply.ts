import { getFirst, getLast } from '#runtime/lists.ts';
import { dollars } from '../../market/price.ts';
import { supplyThrough } from '../../supply/supply-series.ts';
import { type Chart, customChart } from '../chart.ts';
import { fat } from '../decimals.ts';
import { type OwnSeries, requestWindow, type SeriesRequest } from '../own-series.ts';
import { readTradeSeries } from '../trade-series.ts';

const readSupply = ({ deps, state, headTime, ...buckets }: SeriesRequest) =>
  supplyThrough(deps, state, buckets, headTime);

const readTrades = ({ deps, state, resolution, starts }: SeriesRequest) =>
  readTradeSeries(deps, state, resolution, getFirst(starts), getLast(starts));

const supply: OwnSeries = async (request) =>
  new Map([...(await readSupply(request))].map(([time, wei]) => [time, fat(wei)]));

const marketCap: OwnSeries = async (request) => {
  const [wei, trades] = await Promise.all([readSupply(request), readTrades(request)]);
  return new Map([...trades].map(([time, { quote, base }]) => [time, toDollars(wei.get(time) ?? 0n, quote, base)]));
};

const feesUsd: OwnSeries = async (request) => {
  const { deps, state, resolution } = request;
  const [series, trades] = await Promise.all([
    deps.series.read(resolution, state, requestWindow(request)),
    readTrades(request),
  ]);
  return new Map(
    [...trades].map(([time, { quote, base }]) => [time, toDollars(series.get(time)?.counts.fees ?? 0n, quote, base)]),
  );
};

const toDollars = (wei: bigint, quote: bigint, base: bigint) => (base === 0n ? null : dollars((wei * quote) / base));

export const supplyCharts: readonly Chart[] = [
  customChart(
    'growth',
    [
      'nativeCoinSupply',
      'market',
      'Supply',
      'FAT',
      'Total supply at the end of the bucket: the sum of the components in /supply/reconciliation',
    ],
    supply,
    { aliases: ['ethersupplygrowth'], tables: ['blocks', 'logs'] },
  ),
  customChart(
    'rate',
    [
      'marketCap',
      'market',
      'Market capitalisation',
      'USD',
      'Supply at the end of the bucket times the price of the bucket',
    ],
    marketCap,
    { aliases: ['marketcap'], tables: ['blocks', 'logs', 'swaps'] },
  ),
  customChart(
    'rate',
    ['txnsFeeUsd', 'market', 'Transaction fees in dollars', 'USD', 'Fees in the bucket times the price of the bucket'],
    feesUsd,
    { tables: ['blocks', 'swaps'] },
  ),
];
