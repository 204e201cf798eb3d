/** Compares transfers and logs from memory with the tables. */

import type { ExecutionContext } from 'ava';
import { BlockTimes } from '#api/read/chain/block-times.ts';
import { anyTopics, logPosition, logReader } from '#api/read/chain/log-reader.ts';
import { maxBlock, maxIndex, readDistinct } from '#api/read/chain/paging.ts';
import { countRecentTransfers } from '#api/read/tokens/count-recent-transfers.ts';
import { transferReader } from '#api/read/tokens/read-transfers.ts';
import { createRecentTransfers, type RecentTransfersDeps } from '#api/read/tokens/recent-transfers.ts';
import { transferPlace } from '#api/read/tokens/transfer-place.ts';
import { RecentHistory } from '#api/tail/recent-history.ts';
import type { Position } from '#api/terms/cursor.ts';
import type { Random } from '#devchain/random.ts';
import type { Database } from '#sql/client.ts';
import type { ChainState } from '#sql/snapshot.ts';
import { TablesAlone } from './history-readers.ts';
import type { IndexedChain } from './indexed-chain.ts';

export interface EmittedReaders {
  readonly database: Database;
  readonly recents: readonly (RecentTransfersDeps & { readonly recentHistory: RecentHistory })[];
}

/** Returns readers that use memory, only the tables, a full memory, and a memory that often drops blocks. */
export function emittedReaders(database: Database): EmittedReaders {
  const over = (recentHistory: RecentHistory, transfers?: number) => ({
    recentHistory,
    recentTransfers: createRecentTransfers(database, transfers),
  });
  return {
    database,
    recents: [
      over(new RecentHistory(database)),
      over(new TablesAlone(database), 0),
      over(new RecentHistory(database, 200), 100),
      over(new RecentHistory(database, 2_400), 800),
    ],
  };
}

export const getTokens = ({ transfers }: IndexedChain): string[] => [
  ...new Set(transfers.map(({ token }) => token)),
  `0x${'12'.repeat(20)}`,
];

/** Compares pages of random lists. @returns number of transfers in unfinalized blocks */
export async function compareEmitted(
  t: ExecutionContext,
  { database, recents }: EmittedReaders,
  state: ChainState,
  random: Random,
  tokens: readonly string[],
): Promise<number> {
  const settings = { pageScanRows: 100_000 } as never;
  const blockTimes = new BlockTimes(database);
  let count = 0;
  for (let i = 0; i < 4; i++) {
    const order = i % 2 === 0 ? 'asc' : 'desc';
    const fromBlock = random.pick([0, state.finalized - 3, state.finalized + 4]);
    const window = { fromBlock, toBlock: random.pick([state.head, state.finalized + 6]) };
    const [token, otherToken] = [random.pick(tokens), random.pick(tokens)];
    const standard = random.pick([undefined, undefined, 'erc721' as const]);
    const kind = random.pick([undefined, undefined, 'mint' as const, 'transfer' as const]);
    const limit = random.pick([1, 7, 200]);
    const start = order === 'asc' ? { block: 0, index: -1, part: 0 } : { block: maxBlock, index: maxIndex, part: 0 };
    const transfersFrom = (after: Position) =>
      recents.map((recent) => {
        const deps = { database, ...recent, settings };
        const read = transferReader(deps, state, { token, standard, kind }, order, window);
        return readDistinct(read, after, limit, transferPlace);
      });
    const logsFrom = (after: Position) =>
      recents.map((recent) => {
        const read = logReader({ database, ...recent }, state, token, anyTopics);
        return readDistinct((at, most) => read({ ...window, order }, at, most), after, limit, logPosition);
      });
    const check = async (pages: Promise<unknown[]>[]) => {
      const [kept, wanted, crammed, trimmed] = await Promise.all(pages);
      t.deepEqual(kept, wanted, JSON.stringify({ state, window, token, order, limit, kind }));
      t.deepEqual([crammed, trimmed], [wanted, wanted]);
    };
    await check(transfersFrom(start));
    await check(logsFrom(start));
    await check(
      recents.map((recent) => countRecentTransfers({ ...recent, database, blockTimes }, state, [otherToken, token])),
    );
    const rows = await transfersFrom(start)[0]!;
    count += rows.filter((row) => Number(row.block_number) > state.finalized).length;
    const end = rows.at(-1);
    if (end) await check(transfersFrom(transferPlace(end)));
  }
  return count;
}
