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

interface ChartWindow {
  readonly resolution: string;
  readonly from?: string;
  readonly to?: string;
}

/** Reads a chart. Visitors share one read, so the limits of one of them do not apply. @param window as in the query of getChart */
export function recentChart(
  deps: ChartDeps,
  chart_type: string,
  { resolution, from, to }: ChartWindow = { resolution: '5min' },
): Promise<ChartReply> {
  const key = [chart_type, resolution, from, to].join(' ');
  return getCache(deps.database).of(key, anywhere, () =>
    callRoute({ ...unpinned(deps), visitor: noCaller }, getChart, { chart_type }, { resolution, from, to }),
  );
}
