import { z } from 'zod';
import { snapshotParameters } from '#sql/snapshot.ts';
import { getStatement } from '#sql/statements.ts';
import { defineRoute } from '../../define-route.ts';
import { indexInfo } from '../../freshness.ts';
import { BlockNumber, Cursor, Limit, listOf, Order } from '../../schema/primitives.ts';
import { assertWindow, maxBlock, pageOf, startOf } from '../paging.ts';
import { Transaction, type TransactionRecord, transactionOf } from './transaction.ts';

/** @source specification 4.3 */
export const listTransactions = defineRoute({
  id: 'listTransactions',
  base: '/api/v1',
  path: '/transactions',
  methods: ['get'],
  tag: 'transactions',
  summary: 'Transactions of the chain, paged',
  section: '4.3',
  params: z.object({}),
  query: z.object({
    fromBlock: BlockNumber.optional(),
    toBlock: BlockNumber.optional(),
    limit: Limit,
    order: Order,
    cursor: Cursor.optional(),
  }),
  response: listOf(Transaction),
  errors: ['bad_query', 'invalid_cursor', 'indexing', 'store_unavailable'],
  maxAgeSeconds: 1,
  example: '/transactions?limit=2',
  handle: async (deps, { query }) => {
    const { fromBlock = 0, toBlock = maxBlock, limit, order } = query;
    assertWindow(fromBlock, toBlock);
    const filter = ['transactions', fromBlock, toBlock, order];
    const start = startOf(filter, query);
    return deps.snapshots.run(async (state) => {
      const rows = await deps.database.read<TransactionRecord>(getStatement(deps.statements, `transactions_${order}`), {
        ...snapshotParameters(state),
        ...{ from_block: fromBlock, to_block: toBlock, at_block: start.block, at_index: start.index, limit: limit + 1 },
      });
      const { page, ...more } = pageOf(rows, filter, limit, (row) => ({
        block: Number(row.block_number),
        index: row.tx_index,
      }));
      const hashes = await deps.blockHashes.of(
        state,
        page.map((row) => Number(row.block_number)),
      );
      const items = page.map((row) =>
        transactionOf(deps.settings.chainId, state.head, hashes.get(Number(row.block_number)) ?? '', row),
      );
      return { items, ...more, limit, index: indexInfo(deps, state) };
    });
  },
});

/** @source specification 4.3 */
export const listLatestTransactions = defineRoute({
  ...listTransactions,
  id: 'listLatestTransactions',
  path: '/transactions/latest',
  summary: 'Most recent transactions',
  query: z.object({ limit: Limit.unwrap().default(10) }),
  example: '/transactions/latest?limit=2',
  handle: (deps, { query }) =>
    listTransactions.handle(deps, { params: {}, query: { limit: query.limit, order: 'desc' } }),
});
