/** Ranks tokens by the change in their number of holders, from stored hours and days and later transfers. */
import type { ChainState } from '#sql/snapshot.ts';
import { bucketStart, fixedSeconds } from '../../terms/buckets.ts';
import type { SeriesReader } from '../charts/series-reader.ts';
import { liveParameters } from '../charts/subject-series.ts';
import { type GainsAndLosses, splitChanges } from '../gains-and-losses.ts';
import type { StoreDeps } from '../reader-deps.ts';

export interface HolderChangesDeps extends StoreDeps {
  readonly series: SeriesReader;
}

/** Full hours, Unix seconds; `to` is exclusive. */
export interface HourRange {
  readonly from: number;
  readonly to: number;
}

export interface HolderChange {
  readonly token: string;
  readonly change: number;
}

/** Returns the tokens with the largest gains and losses, at most `limit` each. */
export async function readHolderChanges(
  { database, series }: HolderChangesDeps,
  state: ChainState,
  { from, to }: HourRange,
  limit: number,
): Promise<GainsAndLosses<HolderChange>> {
  const closedTo = Math.max(from, Math.min(to, state.hourThrough));
  const dayFrom = bucketStart('day', from + fixedSeconds.day - 1);
  const parameters = {
    ...(await liveParameters(series, state, 'hour')),
    ...{ from_time: from, to_time: to, closed_to: closedTo, day_from: dayFrom, limit },
    day_to: Math.max(dayFrom, Math.min(bucketStart('day', closedTo), state.dayThrough)),
  };
  const rows = await database.read('holder_changes', parameters, to > state.hourThrough ? ['live'] : []);
  return splitChanges(rows, ({ address, change }) => ({ token: address, change: Number(change) }));
}
