import type { ChainState } from '#sql/snapshot.ts';
import { bucketStart, bucketsBetween, type Resolution } from '../../terms/buckets.ts';
import { ApiProblem } from '../../terms/errors.ts';
import type { TimeDeps } from '../reader-deps.ts';

export interface Point {
  /** Start of this and of the next time bucket, Unix seconds. */
  readonly time: number;
  readonly end: number;
  /** Null if a chart of averages or shares has no data in the bucket. */
  readonly value: string | null;
  readonly partial: boolean;
}

export interface WindowQuery {
  readonly resolution: Resolution;
  /** Unix seconds, inclusive; default: `defaultPoints` buckets before the end. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

const maxPoints = 50_000;
const defaultPoints: Record<Resolution, number> = { '5min': 288, hour: 168, day: 30, week: 53, month: 24, year: 100 };

export interface WindowBuckets {
  /** Starts of the time buckets, Unix seconds, oldest first, at least one. */
  readonly starts: readonly number[];
  /** Time of the newest block, Unix seconds. */
  readonly headTime: number;
}

export interface ChartWindow extends WindowBuckets {
  readonly state: ChainState;
  readonly resolution: Resolution;
}

/**
 * Returns the time buckets between the first and the newest block; undefined if there are none.
 * @throws ApiProblem bad_query if there are too many, or `from` is after `to`
 */
export async function readWindowBuckets(
  { blockTimes }: TimeDeps,
  state: ChainState,
  { resolution, ...query }: WindowQuery,
): Promise<WindowBuckets | undefined> {
  const [oldest, headTime] = await Promise.all([blockTimes.chartStart(state), blockTimes.head(state)]);
  if (oldest === undefined) return undefined;
  if (query.from !== undefined && query.to !== undefined && query.from > query.to)
    throw new ApiProblem('bad_query', 'from must not be after to');
  const to = bucketStart(resolution, Math.min(headTime, query.to ?? headTime));
  const from = Math.max(
    bucketStart(resolution, oldest),
    query.from === undefined ? defaultStart(resolution, to) : bucketStart(resolution, query.from),
  );
  if (from > to) return undefined;
  const starts = bucketsBetween(resolution, from, Math.min(to, from + 400 * 366 * 86_400));
  if (starts.length > maxPoints)
    throw new ApiProblem(
      'bad_query',
      `the time range has ${starts.length} buckets, at most ${maxPoints} are allowed: narrow from and to, or use a coarser resolution`,
    );
  return { starts, headTime };
}

const defaultStart = (resolution: Resolution, to: number) => {
  let start = to;
  for (let i = 1; i < defaultPoints[resolution]; i++) start = bucketStart(resolution, Math.max(0, start - 1));
  return start;
};
