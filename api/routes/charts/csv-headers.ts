import type { ChainState } from '#sql/snapshot.ts';

interface TimedPoint {
  /** Start of the time bucket, Unix seconds. */
  readonly time: number;
  readonly partial: boolean;
}

/** Returns a chart's headers as CSV: its snapshot and its first incomplete point. */
export function csvHeaders(
  file: string,
  { head, headHash }: ChainState,
  points: readonly TimedPoint[],
): Record<string, string> {
  const partial = points.find((point) => point.partial);
  return {
    'Content-Disposition': `attachment; filename="${file}.csv"`,
    'X-As-Of-Block': String(head),
    'X-As-Of-Block-Hash': headHash,
    ...(partial ? { 'X-Partial-From': String(partial.time) } : {}),
  };
}
