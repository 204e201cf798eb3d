/** Ranks tokens by the change of their number of holders, from stored hours and days, and from later transfers. */
import { rollupWindowBlocks } from '#sql/chain-tables.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import { bucketStart, fixedSeconds } from '../../terms/buckets.ts';
import type { SeriesReader } from '../charts/series-reader.ts';
import type { StoreDeps } from '../reader-deps.ts';

export interface HolderChangesDeps extends StoreDeps {
  readonly series: SeriesReader;
}

/** Whole hours, Unix seconds; `to` is exclusive. */
export interface HourRange {
  readonly from: number;
  readonly to: number;
}

export interface HolderChange {
  readonly token: string;
  readonly change: number;
}

export interface HolderChanges {
  /** Largest change first. */
  readonly gained: readonly HolderChange[];
  readonly lost: readonly HolderChange[];
  /** Numbers of tokens that gained and lost holders. */
  readonly counts: { readonly gained: number; readonly lost: number };
}

/** Returns the tokens with the largest gains and losses, at most `limit` each. */
export async function readHolderChanges(
  { database, series }: HolderChangesDeps,
  state: ChainState,
  { from, to }: HourRange,
  limit: number,
): Promise<HolderChanges> {
  const closedTo = Math.max(from, Math.min(to, state.hourThrough));
  const dayFrom = bucketStart('day', from + fixedSeconds.day - 1);
  const fromBlock = await series.liveFrom('hour', state);
  const parameters = {
    ...snapshotParameters(state),
    ...{ from_time: from, to_time: to, closed_to: closedTo, day_from: dayFrom, limit },
    day_to: Math.max(dayFrom, Math.min(bucketStart('day', closedTo), state.dayThrough)),
    ...{ from_block: fromBlock, bucket_seconds: fixedSeconds.hour, era_blocks: rollupWindowBlocks },
    base_block: Math.floor(Math.min(fromBlock, state.rollupThrough) / rollupWindowBlocks) * rollupWindowBlocks,
  };
  const rows = await database.read('holder_changes', parameters, to > state.hourThrough ? ['live'] : []);
  const pick = (isGain: boolean) =>
    rows
      .filter(({ gained }) => (gained === 1) === isGain)
      .map(({ address, change }) => ({ token: address, change: Number(change) }));
  const [first] = rows;
  const counts = { gained: Number(first?.gained_count ?? 0), lost: Number(first?.lost_count ?? 0) };
  return { gained: pick(true), lost: pick(false), counts };
}
