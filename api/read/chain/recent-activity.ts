/** Pace and traffic of the last blocks. */
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import { getStatement } from '#sql/statements.ts';
import type { StoreDeps } from '../reader-deps.ts';
import type { BlockTimes } from './block-times.ts';

export interface RecentActivity {
  readonly transactions24h: number;
  /** Wei. */
  readonly fees24h: bigint;
  /** Transactions per second over the last 100 blocks. */
  readonly tps: number;
  /** Seconds between blocks over the last 100; null where there is one block only. */
  readonly averageBlockTime: number | null;
}

const [daySeconds, hourSeconds] = [86_400, 3_600];
/** Blocks over which the pace is taken. */
const paceBlocks = 100;

/** The 24 hours before the head's time count. */
export async function readRecentActivity(
  { database, statements, blockTimes }: StoreDeps & { readonly blockTimes: BlockTimes },
  state: ChainState,
): Promise<RecentActivity> {
  const dayTime = Math.max(0, (await blockTimes.head(state)) - daySeconds);
  // the first block of an hour is looked up once an hour
  const dayBlock = await blockTimes.blockAt(state, dayTime - (dayTime % hourSeconds));
  const row = await database.readOne<Record<string, string | number>>(getStatement(statements, 'recent_activity'), {
    ...snapshotParameters(state),
    day_block: dayBlock ?? state.head,
    day_time: dayTime,
    pace_block: Math.max(0, state.head - paceBlocks),
  });
  const seconds = Number(row.last_time) - Number(row.first_time);
  const blocks = Number(row.recent_blocks);
  return {
    transactions24h: Number(row.transactions_24h),
    fees24h: BigInt(row.fees_24h ?? 0),
    tps: seconds > 0 ? Number(row.recent_transactions) / seconds : 0,
    averageBlockTime: seconds > 0 && blocks > 0 ? seconds / blocks : null,
  };
}
