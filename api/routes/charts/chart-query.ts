/** How charts are asked for. */
import { z } from 'zod';
import { resolutions } from '../../charts/buckets.ts';
import { charts, findChart } from '../../charts/catalogue/index.ts';
import { type Chart, sections } from '../../charts/chart.ts';
import { ApiProblem } from '../../errors.ts';
import { Address, MethodId } from '../../schema/primitives.ts';

const datePattern = /^\d{4}-\d{2}-\d{2}$/;

/** A day, inclusive, or a moment. Unix seconds afterwards; a day that ends a window becomes its last second. */
const moment = (isEnd: boolean) =>
  z
    .string()
    .refine(
      (text) => (datePattern.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`))) || /^\d{1,10}$/.test(text),
      'must be a day as YYYY-MM-DD or Unix seconds',
    )
    .transform((text) => {
      if (!datePattern.test(text)) return Math.min(Number(text), 4_294_967_295);
      return Math.max(0, Date.parse(`${text}T00:00:00Z`) / 1000 + (isEnd ? 86_399 : 0));
    })
    .optional();

export const From = moment(false).meta({
  description: 'First day (YYYY-MM-DD, UTC) or Unix seconds, inclusive',
  example: '2024-01-01',
});
export const To = moment(true).meta({
  description: 'Last day (YYYY-MM-DD, UTC) or Unix seconds, inclusive',
  example: '2024-12-31',
});
export const ResolutionName = z
  .enum(resolutions, `must be one of ${resolutions.join(', ')}`)
  .meta({ description: 'Length of a bucket; weeks begin on Monday' });

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

export const Subject = z.string().max(100, 'is too long').optional().meta({
  description: 'What the chart is of, where it says so: address of the validator, token or account, or a method id',
  example: '0xa9059cbb',
});

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

export const sectionOf = (chart: Chart): string => sections[chart.section];
