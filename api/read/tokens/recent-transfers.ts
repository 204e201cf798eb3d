import type { Database } from '#sql/client.ts';
import { RecentList } from '../../tail/recent-rows.ts';
import type { TransferRecord } from '../../terms/records.ts';

export interface RecentTransfersDeps {
  readonly recentTransfers: RecentList<TransferRecord>;
}

export function createRecentTransfers(database: Database, maxRows?: number): RecentList<TransferRecord> {
  return new RecentList<TransferRecord>(
    database,
    {
      read: (after, through, limit) => database.readBinary('unfinalized_transfers', { after, through, limit }),
      getAddress: ({ token }) => token,
      compare: compareTransfers,
    },
    'older_transfers',
    maxRows,
  );
}

function compareTransfers(a: TransferRecord, b: TransferRecord): number {
  return Number(a.block_number) - Number(b.block_number) || a.log_index - b.log_index || a.batch_index - b.batch_index;
}
