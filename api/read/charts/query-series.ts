import { ApiProblem } from '../../terms/errors.ts';
import type { OwnSeries, SeriesRequest } from './own-series.ts';
import type { ChartQuery } from './query-charts.ts';

/** Values of a query without keys. @param show converts a value of the query to one of the chart */
export const querySeries =
  (query: ChartQuery, show: (value: string) => string = (value) => value): OwnSeries =>
  async (request) => {
    const series = await request.deps.queryCharts.read(request, query);
    const points = series.flatMap((one) => one.points);
    return new Map(points.map(({ time, value }) => [time, value === null ? null : show(value)]));
  };

/**
 * Values of each time bucket by group; a group without rows in a bucket is missing there.
 * @throws ApiProblem bad_query if there are more groups than the query lists
 */
export async function readGroups(
  request: SeriesRequest,
  query: ChartQuery,
): Promise<ReadonlyMap<number, readonly bigint[]>> {
  const groups = new Map<number, bigint[]>();
  for (const { keys, points } of await request.deps.queryCharts.read(request, query)) {
    if (keys === undefined)
      throw new ApiProblem('bad_query', `the time range has more than ${query.top} groups: use a shorter time range`);
    for (const { time, value } of points) {
      if (value === null || value === '0') continue;
      const values = groups.get(time) ?? [];
      values.push(BigInt(value));
      groups.set(time, values);
    }
  }
  return groups;
}
