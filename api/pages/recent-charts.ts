/** Charts of the first page, kept for 15 seconds: everybody opens that page. */
import type { Database } from '#sql/client.ts';
import { anywhere, Cache } from '../cache/cache.ts';
import { getChart } from '../routes/charts/get-chart.ts';
import { type Asking, ask } from './ask.ts';
import type { ChartReply } from './parts/chart.ts';

const kept = new WeakMap<Database, Cache<ChartReply>>();

/** A chart in pieces of five minutes, asked for once by all who come within the time. */
export function recentChart(deps: Asking<typeof getChart>, chart_type: string): Promise<ChartReply> {
  const charts = kept.get(deps.database) ?? new Cache<ChartReply>('recent_charts');
  kept.set(deps.database, charts);
  return charts.of(chart_type, anywhere, () => ask(deps, getChart, { chart_type }, { resolution: '5min' }));
}
