import { getFirst, getLast } from '#runtime/lists.ts';
import type { Figures } from '../../../terms/figures.ts';
import { dollars } from '../../market/price.ts';
import { issuedWithin, supplyThrough } from '../../supply/supply-series.ts';
import { type Chart, customChart } from '../chart.ts';
import { fat } from '../decimals.ts';
import { type OwnSeries, requestWindow, type SeriesRequest } from '../own-series.ts';
import { querySeries } from '../query-series.ts';
import { readTradeSeries } from '../trade-series.ts';

const readSupply = ({ deps, state, headTime, ...buckets }: SeriesRequest) =>
  supplyThrough(deps, state, buckets, headTime);

const issuance: OwnSeries = async ({ deps, state, headTime, ...buckets }) =>
  new Map([...(await issuedWithin(deps, state, buckets, headTime))].map(([time, wei]) => [time, fat(wei)]));

const readTrades = ({ deps, state, resolution, starts }: SeriesRequest) =>
  readTradeSeries(deps, state, resolution, getFirst(starts), getLast(starts));

const supply: OwnSeries = async (request) =>
  new Map([...(await readSupply(request))].map(([time, wei]) => [time, fat(wei)]));

const marketCap: OwnSeries = async (request) => {
  const [wei, trades] = await Promise.all([readSupply(request), readTrades(request)]);
  return new Map([...trades].map(([time, { quote, base }]) => [time, toDollars(wei.get(time) ?? 0n, quote, base)]));
};

/** Converts the fees of a bucket to dollars, divided by `divisor`. */
const feesUsd =
  (divisor: (figures: Figures) => bigint): OwnSeries =>
  async (request) => {
    const { deps, state, resolution } = request;
    const [series, trades] = await Promise.all([
      deps.series.read(resolution, state, requestWindow(request)),
      readTrades(request),
    ]);
    return new Map(
      [...trades].map(([time, { quote, base }]) => {
        const figures = series.get(time);
        return [time, figures ? toDollars(figures.counts.fees, quote, base * divisor(figures)) : null];
      }),
    );
  };

const medianFee = querySeries({ of: 'transactions', measure: 'p50', field: 'fee' });

const medianFeeUsd: OwnSeries = async (request) => {
  const [fees, trades] = await Promise.all([medianFee(request), readTrades(request)]);
  return new Map(
    [...trades].map(([time, { quote, base }]) => [time, toDollars(BigInt(fees.get(time) ?? 0), quote, base)]),
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
    'flow',
    [
      'nativeCoinIssuance',
      'market',
      'Issuance',
      'FAT',
      'New coins in the bucket: from EMISSION_METHOD or REWARD_CONTRACT if set, else by the emission schedule. Burns are not subtracted',
    ],
    issuance,
    { tables: ['blocks', 'logs'] },
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
    feesUsd(() => 1n),
    { tables: ['blocks', 'swaps'] },
  ),
  customChart(
    'rate',
    [
      'averageTxnFeeUsd',
      'market',
      'Average transaction fee in dollars',
      'USD',
      'Fees times the price of the bucket, divided by transactions',
    ],
    feesUsd(({ counts }) => counts.transaction_count),
    { tables: ['blocks', 'swaps'] },
  ),
  customChart(
    'rate',
    [
      'medianTxnFeeUsd',
      'market',
      'Median transaction fee in dollars',
      'USD',
      'Median of fees times the price of the bucket',
    ],
    medianFeeUsd,
    { tables: ['transactions', 'swaps'] },
  ),
];
