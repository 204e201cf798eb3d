/** Compares lists of all transactions in memory with the tables. */

import type { ExecutionContext } from 'ava';
import { getPosition, maxBlock, maxIndex, readDistinct } from '#api/read/chain/paging.ts';
import { createRecentTransactions, readTransactions } from '#api/read/chain/recent-transactions.ts';
import type { Position } from '#api/terms/cursor.ts';
import type { Database } from '#sql/client.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';

/** Returns a memory that keeps all blocks, one that often drops blocks, and one without capacity. */
export const transactionReaders = (database: Database) =>
  [undefined, 600, 10].map((maxRows) => ({
    database,
    recentTransactions: createRecentTransactions(database, maxRows),
  }));

export async function compareTransactions(
  t: ExecutionContext,
  readers: ReturnType<typeof transactionReaders>,
  state: ChainState,
): Promise<void> {
  for (const order of ['asc', 'desc'] as const)
    for (const [limit, fromBlock] of [
      [7, 0],
      [200, 0],
      [200, state.finalized - 5],
    ] as const) {
      const start: Position = order === 'asc' ? { block: 0, index: -1 } : { block: maxBlock, index: maxIndex };
      const pages = readers.map(async ({ database, ...deps }) => {
        const readStored = (part: ChainState, toBlock: number, after: Position, count: number) =>
          database.readBinary(`transactions_${order}`, {
            ...snapshotParameters(part),
            ...{ status: -1, method: '', min_value: '0', from_block: fromBlock, to_block: toBlock },
            ...{ at_block: after.block, at_index: after.index, limit: count },
          });
        const read = (after: Position, count: number) =>
          readTransactions(
            deps,
            state,
            { fromBlock, toBlock: state.head, order, after, limit: count },
            (part, to, most) => readStored(part, to, after, most),
          );
        const first = await readDistinct(read, start, limit, getPosition);
        const last = first.at(-1);
        const second = last ? await readDistinct(read, getPosition(last), limit, getPosition) : [];
        return [...first, ...second];
      });
      const [kept, trimmed, stored] = await Promise.all(pages);
      t.deepEqual(kept, stored, `${order} ${limit} ${JSON.stringify(state)}`);
      t.deepEqual(trimmed, stored);
    }
}
