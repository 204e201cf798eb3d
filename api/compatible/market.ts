/** @source docs/economy.md#price-apiv1nativefatprice */
import { isoTime } from '#chain/codec/iso-time.ts';
import { buildChart } from '../read/charts/build-chart.ts';
import type { ChartDeps } from '../read/charts/own-series.ts';
import { requireChart } from '../read/charts/require-chart.ts';
import { readTradeSeries } from '../read/charts/trade-series.ts';
import { computePrice, type PriceDeps, readPrice } from '../read/market/price.ts';
import type { TradeDeps } from '../read/market/trades.ts';
import type { CoverageDeps, SnapshotDeps } from '../read/reader-deps.ts';
import { bucketStart } from '../terms/buckets.ts';
import { type CompatibleAction, CompatibleError, noRecords } from './action.ts';
import { assertDays, assertNewest } from './covered.ts';
import { parseDay } from './stats.ts';

/** Price in dollars. No price in bitcoin is available. */
export const coinPrice =
  (coin: 'eth' | 'coin_'): CompatibleAction<SnapshotDeps & CoverageDeps & PriceDeps> =>
  ({ deps }) =>
    deps.snapshots.run(async (state) => {
      assertNewest(deps, state, state.startBlock); // pool reserves need all blocks
      const { price, last, stale } = await readPrice(deps, state);
      if (price === null || !last)
        throw new CompatibleError(
          'Error! The price is unknown: no indexed trade of the native coin can be used for the price yet',
        );
      if (stale) throw new CompatibleError(`Error! The price is too old: the last trade was at ${isoTime(last.time)}`);
      return {
        // clients expect strings instead of null
        [`${coin}btc`]: '',
        [`${coin}btc_timestamp`]: '',
        [`${coin}usd`]: price,
        [`${coin}usd_timestamp`]: String(last.time),
      };
    });

/** Days without trades have no row. */
export const dailyPrice: CompatibleAction<SnapshotDeps & CoverageDeps & TradeDeps> = ({ deps, parameters }) => {
  const [from, to] = [parseDay(parameters.get('startdate')), parseDay(parameters.get('enddate'))];
  return deps.snapshots.run(async (state) => {
    await assertDays(deps, state, to);
    const last = Math.min(to, bucketStart('day', await deps.blockTimes.head(state)));
    const series = from > last ? new Map() : await readTradeSeries(deps, state, 'day', from, last);
    if (series.size === 0) throw noRecords();
    const rows = [...series].map(([time, { quote, base }]) => ({
      UTCDate: isoTime(time).slice(0, 10),
      unixTimeStamp: String(time),
      value: computePrice(quote, base),
    }));
    rows.sort((a, b) => Number(a.unixTimeStamp) - Number(b.unixTimeStamp));
    return parameters.get('sort')?.toLowerCase() === 'desc' ? rows.reverse() : rows;
  });
};

/** Days without a price have no row. */
export const dailyMarketCap: CompatibleAction<SnapshotDeps & ChartDeps> = ({ deps, parameters }) => {
  const [from, to] = [parseDay(parameters.get('startdate')), parseDay(parameters.get('enddate'))];
  return deps.snapshots.run(async (state) => {
    await assertDays(deps, state, to);
    const read = async (name: string) => {
      const points = await buildChart(deps, state, requireChart(name), { resolution: 'day', from, to });
      return new Map(points.map(({ time, value }) => [time, value]));
    };
    const [caps, supplies, prices] = await Promise.all([read('marketCap'), read('nativeCoinSupply'), read('fatPrice')]);
    const rows = [...caps].flatMap(([time, marketCap]) => {
      const [supply, price] = [supplies.get(time), prices.get(time)];
      if (marketCap === null || supply == null || price == null) return [];
      return [{ UTCDate: isoTime(time).slice(0, 10), unixTimeStamp: String(time), supply, marketCap, price }];
    });
    if (rows.length === 0) throw noRecords();
    return parameters.get('sort')?.toLowerCase() === 'desc' ? rows.reverse() : rows;
  });
};
