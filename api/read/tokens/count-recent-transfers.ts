import { hexDigits } from '#chain/codec/hex.ts';
import { type ChainState, finalizedPart, isWhole, snapshotParameters } from '#sql/snapshot.ts';
import { Cache } from '../../cache/cache.ts';
import { perDatabase } from '../../cache/per-database.ts';
import type { StoreDeps, TimeDeps } from '../reader-deps.ts';
import type { RecentTransfersDeps } from './recent-transfers.ts';

const daySeconds = 86_400;

interface Activity {
  /** Transfers after this time, Unix seconds. */
  readonly since: number;
  readonly times: readonly { readonly time: number; readonly transfers: string }[];
}

const getOlderCache = perDatabase(() => new Cache<Activity>('older_activity'));

/** Returns the number of a token's transfers in the 24 hours before the newest block. */
export async function countRecentTransfers(
  deps: StoreDeps & TimeDeps & RecentTransfersDeps,
  state: ChainState,
  token: string,
): Promise<number> {
  const since = (await deps.blockTimes.head(state)) - daySeconds;
  const recent = await deps.recentTransfers.readNewest(state, token);
  if (!recent) return countAfter(since, await readActivity(deps, state, token, since, state.head));
  const { floor, rows } = recent;
  const readOlder = () => readActivity(deps, finalizedPart(state), token, since, floor);
  const cached = isWhole(state)
    ? await getOlderCache(deps.database).of(`${token} ${floor}`, state, readOlder)
    : undefined;
  // an outdated state can need transfers before the cached ones
  const older = cached && cached.since <= since ? cached : await readOlder();
  return rows.filter(({ timestamp }) => timestamp > since).length + countAfter(since, older);
}

const countAfter = (since: number, { times }: Activity) =>
  times.reduce((sum, { time, transfers }) => (time > since ? sum + Number(transfers) : sum), 0);

async function readActivity(
  { database, blockTimes }: StoreDeps & TimeDeps,
  state: ChainState,
  token: string,
  since: number,
  toBlock: number,
): Promise<Activity> {
  const fromBlock = await blockTimes.blockAt(state, Math.max(0, since + 1));
  if (fromBlock === undefined || fromBlock > toBlock) return { since, times: [] };
  const parameters = {
    ...snapshotParameters(state),
    token: hexDigits(token),
    from_block: fromBlock,
    to_block: toBlock,
  };
  return { since, times: await database.readBinary('token_activity', parameters) };
}
