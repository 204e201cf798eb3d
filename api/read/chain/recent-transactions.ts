import type { Database } from '#sql/client.ts';
import type { ChainState } from '#sql/snapshot.ts';
import { RecentList } from '../../tail/recent-rows.ts';
import type { Position } from '../../terms/cursor.ts';
import { comparePlaces, type TransactionRecord } from '../../terms/records.ts';
import type { BlockWindow } from './block-window.ts';
import { getPosition, type SortOrder } from './paging.ts';
import { readWithRecent } from './with-recent.ts';

export interface RecentTransactionsDeps {
  readonly recentTransactions: RecentList<TransactionRecord>;
}

/** One list for the chain, not one per address. */
const chain = '';

export function createRecentTransactions(database: Database, maxRows?: number): RecentList<TransactionRecord> {
  return new RecentList<TransactionRecord>(
    database,
    {
      read: (after, through, limit) => database.readBinary('unfinalized_transactions', { after, through, limit }),
      getAddress: () => chain,
      compare: comparePlaces,
    },
    'older_transactions',
    maxRows,
  );
}

interface Page extends BlockWindow {
  readonly order: SortOrder;
  readonly after: Position;
  readonly limit: number;
}

/** @param read reads stored transactions up to a block */
export const readTransactions = (
  { recentTransactions }: RecentTransactionsDeps,
  state: ChainState,
  page: Page,
  read: (state: ChainState, toBlock: number, limit: number) => Promise<TransactionRecord[]>,
): Promise<TransactionRecord[]> =>
  readWithRecent<TransactionRecord, TransactionRecord>(
    { ...page, state, key: '' },
    {
      recent: () => recentTransactions.readNewest(state, chain),
      getPosition,
      select: (row) => row,
      read,
      older: recentTransactions.older,
    },
  );
