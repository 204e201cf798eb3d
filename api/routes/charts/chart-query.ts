import { z } from 'zod';
import { parseIsoDay } from '#chain/codec/iso-time.ts';
import { type Chart, sections } from '../../read/charts/chart.ts';
import { resolutions } from '../../terms/buckets.ts';

/** Time parameter: a day or Unix seconds. The result is Unix seconds; an end day becomes its last second. */
const moment = (isEnd: boolean) =>
  z
    .string()
    .refine(
      (text) => parseIsoDay(text) !== undefined || /^\d{1,10}$/.test(text),
      'must be a day as YYYY-MM-DD or Unix seconds',
    )
    .transform((text) => {
      const day = parseIsoDay(text);
      if (day === undefined) return Math.min(Number(text), 4_294_967_295);
      return Math.max(0, day + (isEnd ? 86_399 : 0));
    })
    .optional();

export const From = moment(false).meta({
  description: 'Start of the chart: a day (YYYY-MM-DD, UTC) or Unix seconds, inclusive',
  example: '2024-01-01',
});
export const To = moment(true).meta({
  description: 'End of the chart: a day (YYYY-MM-DD, UTC) or Unix seconds, inclusive',
  example: '2024-12-31',
});
export const ResolutionName = z
  .enum(resolutions, `must be one of ${resolutions.join(', ')}`)
  .meta({ description: 'Length of the time buckets of the chart; weeks start on Monday' });

export const Subject = z.string().max(100, 'must have at most 100 characters').optional().meta({
  description: 'Subject of the chart, if it requires one: address of a validator, token or account, or a method id',
  example: '0xa9059cbb',
});

export const getSectionTitle = (chart: Chart): string => sections[chart.section];
