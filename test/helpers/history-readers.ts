/** Compares histories in memory with the tables. */

import type { ExecutionContext } from 'ava';
import { allRoles, type HistoryShape, namedRoles } from '#api/read/accounts/history-shape.ts';
import { TracedReader } from '#api/read/accounts/internal-calls/traced-reader.ts';
import { AccountHistory } from '#api/read/accounts/read-history.ts';
import { getPosition, maxBlock, maxIndex, readDistinct } from '#api/read/chain/paging.ts';
import { RecentHistory } from '#api/tail/recent-history.ts';
import type { Random } from '#devchain/random.ts';
import type { Database } from '#sql/client.ts';
import type { ChainState } from '#sql/snapshot.ts';
import type { IndexedChain } from './indexed-chain.ts';

/** Remembers no rows, so that all rows come from the tables. */
export class TablesAlone extends RecentHistory {
  override async readNewest(): Promise<undefined> {
    return undefined;
  }

  override async readBlocks(): Promise<undefined> {
    return undefined;
  }
}

export interface HistoryReaders {
  readonly kept: AccountHistory;
  /** So small that it often drops finalized blocks. */
  readonly trimmed: AccountHistory;
  /** So small that it can't hold the unfinalized blocks. */
  readonly crammed: AccountHistory;
  readonly tables: AccountHistory;
}

export function historyReaders(database: Database): HistoryReaders {
  const over = (recent: RecentHistory, internalRows?: number) =>
    new AccountHistory(database, recent, new TracedReader(database), internalRows);
  return {
    kept: over(new RecentHistory(database)),
    trimmed: over(new RecentHistory(database, 2_400), 60),
    crammed: over(new RecentHistory(database, 200), 10),
    tables: over(new TablesAlone(database), 0),
  };
}

/** Returns senders of the newest blocks, and a contract that makes internal transfers. */
export const getAddresses = ({ blocks, chain }: IndexedChain): string[] => [
  ...blocks.slice(-8).flatMap(({ txs }) => txs.map(({ from }) => from)),
  chain.world.payout,
];

/** Compares pages of random histories. @returns number of rows */
export async function comparePages(
  t: ExecutionContext,
  { kept, trimmed, crammed, tables }: HistoryReaders,
  state: ChainState,
  random: Random,
  addresses: readonly string[],
): Promise<number> {
  let count = 0;
  for (let i = 0; i < 10; i++) {
    const order = i % 2 === 0 ? 'asc' : 'desc';
    const shape: HistoryShape = {
      address: random.pick(addresses),
      order,
      fromBlock: random.pick([0, 0, state.finalized - 3, state.finalized + 4]),
      toBlock: random.pick([maxBlock, state.head, state.finalized + 6]),
      mask: random.pick([allRoles, namedRoles, 1, 2, 4, 8]),
      minValue: [undefined, '1', '1000000000000000000'][random.between(0, 2)],
    };
    const start = order === 'asc' ? { block: 0, index: -1 } : { block: maxBlock, index: maxIndex };
    const limit = random.pick([1, 7, 200]);
    const page = (reader: AccountHistory, after = start) =>
      readDistinct((at, most) => reader.read(state, shape, at, most), after, limit, getPosition);
    const [rows, wanted] = [await page(kept), await page(tables)];
    const asked = JSON.stringify({ state, shape, limit });
    t.deepEqual(await page(trimmed), wanted, asked);
    t.deepEqual(await page(crammed), wanted, asked);
    t.deepEqual(rows, wanted, asked);
    count += rows.filter((row) => Number(row.block_number) > state.finalized).length;
    const end = rows.at(-1);
    if (end) t.deepEqual(await page(kept, getPosition(end)), await page(tables, getPosition(end)));
  }
  return count;
}
