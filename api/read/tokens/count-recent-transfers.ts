import { hexDigits } from '#chain/codec/hex.ts';
import { known } from '#runtime/known.ts';
import { groupBy } from '#runtime/lists.ts';
import { type ChainState, finalizedPart, isWhole, snapshotParameters } from '#sql/snapshot.ts';
import { Cache } from '../../cache/cache.ts';
import { perDatabase } from '../../cache/per-database.ts';
import type { StoreDeps, TimeDeps } from '../reader-deps.ts';
import type { RecentTransfersDeps } from './recent-transfers.ts';

const daySeconds = 86_400;
/** Time for which cached counts stay usable while the 24 hours move on, s. */
const fineSeconds = 3_600;

interface Activity {
  /** Only transfers after this time, Unix seconds. */
  readonly since: number;
  /** Transfers by time, Unix seconds; those after `fineSeconds` have one row. */
  readonly times: readonly { readonly time: number; readonly transfers: string }[];
}

const getOlderCache = perDatabase(() => new Cache<Activity>('older_activity'));

/**
 * Returns the number of each token's transfers in the 24 hours before the newest block.
 * @param tokens addresses in lower case
 */
export async function countRecentTransfers(
  deps: StoreDeps & TimeDeps & RecentTransfersDeps,
  state: ChainState,
  tokens: readonly string[],
): Promise<number[]> {
  const since = (await deps.blockTimes.head(state)) - daySeconds;
  const recent = await deps.recentTransfers.at(state);
  const older = recent
    ? await readOlder(deps, state, tokens, since, recent.floor)
    : await readActivities(deps, state, tokens, since, state.head);
  return tokens.map((token, i) => {
    const newest = recent?.of(token).filter(({ timestamp }) => timestamp > since) ?? [];
    return newest.length + countAfter(since, known(older[i], 'the activity of a token'));
  });
}

const countAfter = (since: number, { times }: Activity) =>
  times.reduce((sum, { time, transfers }) => (time > since ? sum + Number(transfers) : sum), 0);

/** Returns the activity of tokens in blocks up to `floor`, which is finalized, from the cache where it has them. */
async function readOlder(
  deps: StoreDeps & TimeDeps,
  state: ChainState,
  tokens: readonly string[],
  since: number,
  floor: number,
): Promise<Activity[]> {
  const part = finalizedPart(state);
  if (!isWhole(state)) return readActivities(deps, part, tokens, since, floor);
  const cache = getOlderCache(deps.database);
  const cached = tokens.map((token) => cache.get(`${token} ${floor}`, state));
  // an outdated state can need transfers before the cached ones
  const isUsable = (of: Activity) => of.since <= since && since < of.since + fineSeconds;
  const isCached = (i: number) => cached[i] !== undefined && isUsable(cached[i]);
  const missing = tokens.filter((_, i) => !isCached(i));
  const read = await readActivities(deps, part, missing, since, floor);
  missing.forEach((token, i) => {
    cache.set(`${token} ${floor}`, state, known(read[i], 'the activity of a token'));
  });
  return tokens.map((token, i) => known(isCached(i) ? cached[i] : read[missing.indexOf(token)], 'the activity'));
}

/** Reads the transfers of tokens from `since` to block `toBlock`, in the order of the tokens. */
async function readActivities(
  { database, blockTimes }: StoreDeps & TimeDeps,
  state: ChainState,
  tokens: readonly string[],
  since: number,
  toBlock: number,
): Promise<Activity[]> {
  const fromBlock = tokens.length === 0 ? undefined : await blockTimes.blockAt(state, Math.max(0, since + 1));
  if (fromBlock === undefined || fromBlock > toBlock) return tokens.map(() => ({ since, times: [] }));
  const rows = await database.readBinary('token_activity', {
    ...snapshotParameters(state),
    tokens: tokens.map(hexDigits),
    from_block: fromBlock,
    to_block: toBlock,
    fine_until: Math.max(0, since + fineSeconds),
  });
  const byToken = groupBy(rows, (row) => row.token);
  return tokens.map((token) => {
    const times = (byToken.get(token) ?? []).map(({ time, transfers }) => ({ time, transfers }));
    return { since, times };
  });
}
