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

/** Returns all tokens whose number of holders changed in the range, the largest gain first. */
export async function readHolderChanges(
  deps: HolderChangesDeps,
  state: ChainState,
  { from, to }: HourRange,
): Promise<HolderChange[]> {
  const closedTo = Math.min(to, state.hourThrough);
  const [closed, live] = await Promise.all([
    from < closedTo ? readClosed(deps, state, { from, to: closedTo }) : [],
    to > state.hourThrough ? readLive(deps, state, { from: Math.max(from, state.hourThrough), to }) : [],
  ]);
  const changes = new Map<string, number>();
  for (const { token_hex, change } of [...closed, ...live])
    changes.set(token_hex, (changes.get(token_hex) ?? 0) + Number(change));
  return [...changes]
    .filter(([, change]) => change !== 0)
    .map(([token, change]) => ({ token: `0x${token}`, change }))
    .sort((a, b) => b.change - a.change || (a.token < b.token ? -1 : 1));
}

function readClosed({ database }: StoreDeps, { dayThrough }: ChainState, { from, to }: HourRange) {
  const dayFrom = bucketStart('day', from + fixedSeconds.day - 1);
  const dayTo = Math.max(dayFrom, Math.min(bucketStart('day', to), dayThrough));
  return database.read('holder_changes_closed', { from_time: from, to_time: to, day_from: dayFrom, day_to: dayTo });
}

async function readLive({ database, series }: HolderChangesDeps, state: ChainState, { from, to }: HourRange) {
  const fromBlock = await series.liveFrom('hour', state);
  return database.read('holder_changes_live', {
    ...snapshotParameters(state),
    ...{ from_time: from, to_time: to, from_block: fromBlock, bucket_seconds: fixedSeconds.hour },
    era_blocks: rollupWindowBlocks,
    base_block: Math.floor(Math.min(fromBlock, state.rollupThrough) / rollupWindowBlocks) * rollupWindowBlocks,
  });
}
