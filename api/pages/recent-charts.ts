/** Charts of the first page, kept for 15 seconds: everybody opens that page. */
import { anywhere, Cache } from '../cache/cache.ts';
import type { ApiDeps } from '../deps.ts';
import { getChart } from '../routes/charts/get-chart.ts';
import { ask } from './ask.ts';
import type { ChartReply } from './parts/chart.ts';

const kept = new WeakMap<ApiDeps['database'], Cache<ChartReply>>();

/** A chart in pieces of five minutes, asked for once by all who come within the time. */
export function recentChart(deps: ApiDeps, chart_type: string): Promise<ChartReply> {
  const charts = kept.get(deps.database) ?? new Cache<ChartReply>('recent_charts');
  kept.set(deps.database, charts);
  return charts.of(chart_type, anywhere, () => ask(deps, getChart, { chart_type }, { resolution: '5min' }));
}
