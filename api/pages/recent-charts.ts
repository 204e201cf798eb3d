/** Charts of the first page: everybody opens it, nobody needs its small drawings newer than this. */
import { LRUCache } from 'lru-cache';
import type { ApiDeps } from '../deps.ts';
import { getChart } from '../routes/charts/get-chart.ts';
import { ask } from './ask.ts';
import type { ChartReply } from './parts/chart.ts';

/** Age up to which a drawing is shown again, ms. */
const keptMs = 15_000;

const kept = new WeakMap<ApiDeps['database'], LRUCache<string, Promise<ChartReply>>>();

/** A chart in pieces of five minutes, asked for once by all who come within the time. */
export function recentChart(deps: ApiDeps, chart_type: string): Promise<ChartReply> {
  const charts = kept.get(deps.database) ?? new LRUCache<string, Promise<ChartReply>>({ max: 20, ttl: keptMs });
  kept.set(deps.database, charts);
  const known = charts.get(chart_type);
  if (known) return known;
  const reply = ask(deps, getChart, { chart_type }, { resolution: '5min' });
  charts.set(chart_type, reply);
  reply.catch(() => charts.delete(chart_type));
  return reply;
}
