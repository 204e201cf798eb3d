/** Charts of Blockscout's stats service have the same ids here. Aliases are Etherscan's names. */
import type { Chart } from '../chart.ts';
import { activityCharts } from './activity.ts';
import { blockAndGasCharts } from './blocks-and-gas.ts';
import { eventCharts } from './events.ts';
import { marketCharts } from './market.ts';
import { queryCharts } from './queries.ts';
import { returnCharts } from './returns.ts';
import { subjectCharts } from './subjects.ts';
import { supplyCharts } from './supply.ts';
import { tokenQueryCharts } from './token-queries.ts';

export const charts: readonly Chart[] = [
  ...activityCharts,
  ...blockAndGasCharts,
  ...eventCharts,
  ...marketCharts,
  ...returnCharts,
  ...supplyCharts,
  ...queryCharts,
  ...tokenQueryCharts,
  ...subjectCharts,
];

const byName = new Map(charts.flatMap((each) => [each.id, ...each.aliases].map((name) => [name.toLowerCase(), each])));

export function findChart(name: string): Chart | undefined {
  return byName.get(name.toLowerCase());
}
