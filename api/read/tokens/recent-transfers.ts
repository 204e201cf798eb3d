import type { Database } from '#sql/client.ts';
import type { ChainState } from '#sql/snapshot.ts';
import { Cache } from '../../cache/cache.ts';
import { type Recent, RecentRows } from '../../tail/recent-rows.ts';
import type { TransferRecord } from '../../terms/records.ts';

export interface RecentTransfersDeps {
  readonly recentTransfers: RecentTransfers;
}

/** Caches token transfers of the newest blocks by token. */
export class RecentTransfers {
  readonly #rows: RecentRows<TransferRecord>;
  /** Older rows of newest pages. */
  readonly older = new Cache<TransferRecord[]>('older_transfers');

  constructor(database: Database, maxRows?: number) {
    this.#rows = new RecentRows<TransferRecord>(
      database,
      {
        read: (after, through, limit) => database.readBinary('unfinalized_transfers', { after, through, limit }),
        addressOf: ({ token }) => token,
        compare: compareTransfers,
      },
      maxRows,
    );
  }

  /** @returns undefined if `state` is outdated, or its unfinalized blocks have too many transfers or are being deleted */
  at(state: ChainState): Promise<Recent<TransferRecord> | undefined> {
    return this.#rows.at(state);
  }
}

function compareTransfers(a: TransferRecord, b: TransferRecord): number {
  return Number(a.block_number) - Number(b.block_number) || a.log_index - b.log_index || a.batch_index - b.batch_index;
}
