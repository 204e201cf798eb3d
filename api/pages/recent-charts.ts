/** Caches the charts of the home page for 15 seconds, because every visitor loads them. */
import type { Database } from '#sql/client.ts';
import { anywhere, Cache } from '../cache/cache.ts';
import { getChart } from '../routes/charts/get-chart.ts';
import { callRoute, type RouteDeps } from './ask.ts';
import type { ChartReply } from './parts/chart.ts';

const caches = new WeakMap<Database, Cache<ChartReply>>();

/** Reads a chart; concurrent visitors share one read. */
export function recentChart(deps: RouteDeps<typeof getChart>, chart_type: string): Promise<ChartReply> {
  const charts = caches.get(deps.database) ?? new Cache<ChartReply>('recent_charts');
  caches.set(deps.database, charts);
  return charts.of(chart_type, anywhere, () => callRoute(deps, getChart, { chart_type }, { resolution: '5min' }));
}
