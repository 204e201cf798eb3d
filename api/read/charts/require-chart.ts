import type { resolutions } from '../../terms/buckets.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { Address, MethodId } from '../../terms/primitives.ts';
import { charts, findChart } from './catalogue/index.ts';
import type { Chart } from './chart.ts';

/** Finds a chart by id or alias. @throws ApiProblem chart_not_found, with all charts */
export function requireChart(name: string): Chart {
  const chart = findChart(name);
  if (chart) return chart;
  throw new ApiProblem('chart_not_found', `unknown chart ${name.slice(0, 100)}; details.charts lists all charts`, {
    charts: charts.map(({ id }) => id),
  });
}

/** @throws ApiProblem bad_query */
export function assertResolution(chart: Chart, resolution: (typeof resolutions)[number]): void {
  if (!chart.resolutions.includes(resolution))
    throw new ApiProblem(
      'bad_query',
      `resolution must be one of ${chart.resolutions.join(', ')} for ${chart.id}, got ${resolution}`,
    );
}

/** Parses an address or method id to 40 hex digits; undefined for a chart of the whole chain. @throws ApiProblem bad_query */
export function parseSubject({ id, subject: kind }: Chart, text: string | undefined): string | undefined {
  if (kind === undefined) {
    if (text !== undefined) throw new ApiProblem('bad_query', `${id} is a chart of the whole chain: leave out subject`);
    return undefined;
  }
  const form = kind === 'method' ? MethodId : Address.transform((address) => address.slice(2));
  const parsed = form.safeParse(text ?? '');
  const expected = kind === 'method' ? 'a method id (0x and 8 hex digits)' : 'an address (0x and 40 hex digits)';
  if (!parsed.success) throw new ApiProblem('bad_query', `${id} is a chart of one ${kind}: set subject to ${expected}`);
  return parsed.data.padEnd(40, '0');
}
