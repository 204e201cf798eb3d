/** Buckets of charts. Weeks begin on Monday; times are UTC. */

export const resolutions = ['5min', 'hour', 'day', 'week', 'month', 'year'] as const;
export type Resolution = (typeof resolutions)[number];

/** Seconds. Weeks, months and years are computed from days. */
export const fixedSeconds = { '5min': 300, hour: 3_600, day: 86_400 } as const;
export type FixedResolution = keyof typeof fixedSeconds;

export const isFixed = (resolution: Resolution): resolution is FixedResolution => resolution in fixedSeconds;

const daySeconds = 86_400;
/** First Monday after 1970-01-01, Unix seconds. */
const firstMonday = 4 * daySeconds;

/** Returns the start of the bucket that contains `time`, Unix seconds. */
export function bucketStart(resolution: Resolution, time: number): number {
  if (isFixed(resolution)) return time - (time % fixedSeconds[resolution]);
  const date = new Date(time * 1000);
  // the genesis time of some chains is 0: the first week then begins at 0, as in ClickHouse
  if (resolution === 'week') return Math.max(0, time - ((time - firstMonday + 7 * daySeconds) % (7 * daySeconds)));
  return Date.UTC(date.getUTCFullYear(), resolution === 'month' ? date.getUTCMonth() : 0) / 1000;
}

/** Returns the start of the next bucket, Unix seconds. */
export function nextBucket(resolution: Resolution, start: number): number {
  if (isFixed(resolution)) return start + fixedSeconds[resolution];
  if (resolution === 'week') return bucketStart(resolution, start + 7 * daySeconds);
  const date = new Date(start * 1000);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return Date.UTC(resolution === 'year' ? year + 1 : year, resolution === 'month' ? month + 1 : 0) / 1000;
}

export function bucketsBetween(resolution: Resolution, first: number, last: number): number[] {
  const starts: number[] = [];
  for (let start = first; start <= last; start = nextBucket(resolution, start)) starts.push(start);
  return starts;
}
