/** Caches charts for 15 seconds, because many pages show the same ones. */
import { anywhere, Cache } from '../cache/cache.ts';
import { perDatabase } from '../cache/per-database.ts';
import { noCaller } from '../read/query/query-turns.ts';
import { getChart } from '../routes/charts/get-chart.ts';
import { callRoute, type RouteDeps } from './ask.ts';
import type { ChartReply } from './parts/chart.ts';
import { unpinned } from './pinned-snapshots.ts';

const getCache = perDatabase(() => new Cache<ChartReply>('recent_charts'));

export type ChartDeps = RouteDeps<typeof getChart>;

/** Visitors share the read, so it does not count against the limits of one visitor. */
export function recentChart(deps: ChartDeps, chart_type: string): Promise<ChartReply> {
  return getCache(deps.database).of(chart_type, anywhere, () =>
    callRoute({ ...unpinned(deps), visitor: noCaller }, getChart, { chart_type }, { resolution: '5min' }),
  );
}
