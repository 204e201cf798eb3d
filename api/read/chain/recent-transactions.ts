import type { Database } from '#sql/client.ts';
import { asOf, type ChainState, finalizedPart } from '#sql/snapshot.ts';
import { RecentList } from '../../tail/recent-rows.ts';
import type { Position } from '../../terms/cursor.ts';
import { comparePlaces, type TransactionRecord } from '../../terms/records.ts';
import type { BlockWindow } from './block-window.ts';
import type { SortOrder } from './paging.ts';
import { isWithin, readWithRecent, selectRows } from './with-recent.ts';

export interface RecentTransactionsDeps {
  readonly recentTransactions: RecentList<TransactionRecord>;
}

const chain = '';

/** Caches the transactions of the newest blocks. */
export function recentTransactionsOf(database: Database, maxRows?: number): RecentList<TransactionRecord> {
  return new RecentList<TransactionRecord>(
    database,
    {
      read: (after, through, limit) => database.readBinary('unfinalized_transactions', { after, through, limit }),
      addressOf: () => chain,
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

/** Reads a page of all transactions. @param read reads stored transactions up to a block */
export async function readTransactions(
  { recentTransactions }: RecentTransactionsDeps,
  state: ChainState,
  page: Page,
  read: (state: ChainState, toBlock: number, limit: number) => Promise<TransactionRecord[]>,
): Promise<TransactionRecord[]> {
  const finalized = finalizedPart(state);
  const { toBlock, after, limit } = page;
  if (toBlock <= state.finalized) return read(finalized, toBlock, limit);
  const recent = await recentTransactions.at(state);
  if (!recent) return read(state, toBlock, limit);
  const rows = selectRows(recent.of(chain), page, (row) => isWithin(row, page, after)).flatMap(
    (row) => asOf(state, row) ?? [],
  );
  const readOlder = (through: number, count: number) => read(finalized, through, count);
  return readWithRecent(
    { ...page, state, key: '' },
    { floor: recent.floor, rows },
    readOlder,
    recentTransactions.older,
  );
}
