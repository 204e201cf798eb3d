import { z } from 'zod';
import { snapshotParameters } from '#sql/snapshot.ts';
import { getStatement } from '#sql/statements.ts';
import type { Position } from '../../cursor.ts';
import { defineRoute } from '../../define-route.ts';
import { indexInfo } from '../../freshness.ts';
import { BlockNumber, Cursor, Limit, listOf, Order } from '../../schema/primitives.ts';
import { assertWindow, maxBlock, pageOf, placeOf, readDistinct, startOf } from '../paging.ts';
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
      const statement = getStatement(deps.statements, `transactions_${order}`);
      const read = (after: Position, count: number) =>
        deps.database.read<TransactionRecord>(statement, {
          ...snapshotParameters(state),
          ...{ from_block: fromBlock, to_block: toBlock, at_block: after.block, at_index: after.index, limit: count },
        });
      const rows = await readDistinct(read, start, limit + 1, placeOf);
      const { page, ...more } = pageOf(rows, filter, limit, placeOf);
      const items = page.map((row) => transactionOf(deps.settings.chainId, state.head, row));
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
