import { ApiProblem } from '../../terms/errors.ts';
import type { SeriesRequest, Values } from './own-series.ts';
import type { ChartQuery } from './query-charts.ts';

/** Computes a chart from a query without groups. @param show converts a query value to a chart value */
export const querySeries =
  (query: ChartQuery, show: (value: string) => string = (value) => value) =>
  async (request: SeriesRequest): Promise<Values> => {
    const series = await request.deps.queryCharts.read(request, query);
    const points = series.flatMap((one) => one.points);
    return new Map(points.map(({ time, value }) => [time, value === null ? null : show(value)]));
  };

/** Returns the sums of a query without groups by bucket start. A bucket can occur twice. */
export async function readSums(
  request: SeriesRequest,
  query: ChartQuery,
): Promise<(readonly [time: number, sum: bigint])[]> {
  const series = await request.deps.queryCharts.read(request, query);
  return series.flatMap(({ points }) => points).map(({ time, value }) => [time, BigInt(value ?? 0)] as const);
}

/**
 * Returns the values of all groups by bucket start, without zeros.
 * @throws ApiProblem bad_query if there are more groups than `query.top`
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
