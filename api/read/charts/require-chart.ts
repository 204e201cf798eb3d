/** The chart that was asked for, or what is wrong with the question. */

import type { resolutions } from '../../terms/buckets.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { Address, MethodId } from '../../terms/primitives.ts';
import { charts, findChart } from './catalogue/index.ts';
import type { Chart } from './chart.ts';

/** @throws ApiProblem chart_not_found with the list of charts */
export function requireChart(name: string): Chart {
  const chart = findChart(name);
  if (chart) return chart;
  throw new ApiProblem('chart_not_found', `there is no chart ${name.slice(0, 100)}; see details`, {
    charts: charts.map(({ id }) => id),
  });
}

/** @throws ApiProblem bad_query where the chart is not computed at this resolution */
export function assertResolution(chart: Chart, resolution: (typeof resolutions)[number]): void {
  if (!chart.resolutions.includes(resolution))
    throw new ApiProblem(
      'bad_query',
      `resolution ${resolution} is not available for ${chart.id}, which can't be added up: accepted are ${chart.resolutions.join(', ')}`,
    );
}

/** @returns 40 hex digits; undefined for a chart of the whole chain. @throws ApiProblem bad_query */
export function parseSubject({ id, subject: kind }: Chart, text: string | undefined): string | undefined {
  if (kind === undefined) return undefined;
  const form = kind === 'method' ? MethodId : Address.transform((address) => address.slice(2));
  const parsed = form.safeParse(text ?? '');
  const wanted = kind === 'method' ? 'a method id (0x and 8 hex digits)' : 'an address (0x and 40 hex digits)';
  if (!parsed.success)
    throw new ApiProblem('bad_query', `${id} is a chart of one ${kind}: say which with subject, ${wanted}`);
  return parsed.data.padEnd(40, '0');
}
