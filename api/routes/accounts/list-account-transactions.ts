import { z } from 'zod';
import { hexDigits } from '#chain/codec/hex.ts';
import { snapshotParameters } from '#sql/snapshot.ts';
import { getStatement } from '#sql/statements.ts';
import { defineRoute } from '../../define-route.ts';
import { coverageOf, indexInfo } from '../../freshness.ts';
import { Address, BlockNumber, Count, Cursor, IndexInfo, Limit, Order } from '../../schema/primitives.ts';
import { type HistoryRecord, HistoryRow, historyRow } from '../history-row.ts';
import { assertWindow, maxBlock, pageOf, startOf } from '../paging.ts';

const Window = z.strictObject({ from: Count, to: Count });

export const Coverage = z
  .strictObject({
    from: Count,
    to: Count,
    indexedFrom: Count,
    indexedTo: Count,
    gaps: z.array(Window),
    complete: z.boolean(),
    freshness_tolerance_blocks: Count,
    internal: z.boolean(),
  })
  .meta({ id: 'Coverage' });

export const HistoryPage = z
  .strictObject({
    transactions: z.array(HistoryRow),
    nextCursor: z.string().nullable(),
    hasMore: z.boolean(),
    limit: Count,
    source: z.enum(['addr-index', 'addr-index-empty']),
    coverage: Coverage,
    index: IndexInfo,
  })
  .meta({ id: 'HistoryPage' });

const roleMasks = { from: 1, to: 2, log: 4 } as const;
const allRoles = 7;

/** @source specification 4.4 and part 2, account and semantic history fields */
export const listAccountTransactions = defineRoute({
  id: 'listAccountTransactions',
  base: '/api/v1',
  path: '/accounts/:address/transactions',
  methods: ['get'],
  tag: 'accounts',
  summary: 'History of one wallet or contract, newest first',
  section: '4.4',
  params: z.object({ address: Address }),
  query: z.object({
    from: BlockNumber.optional().meta({ description: 'First block of the window, inclusive' }),
    to: BlockNumber.optional().meta({ description: 'Last block of the window, inclusive; may lie above the head' }),
    role: z
      .enum(['from', 'to', 'log'], 'must be from, to or log')
      .optional()
      .meta({ description: 'Only rows with this role' }),
    limit: Limit,
    order: Order,
    cursor: Cursor.optional(),
  }),
  response: HistoryPage,
  errors: ['bad_query', 'invalid_cursor', 'indexing', 'store_unavailable'],
  maxAgeSeconds: 1,
  example: '/accounts/0x70997970c51812dc3a010c7d01b50e0d17dc79c8/transactions?limit=2',
  handle: async (deps, { params, query }) => {
    const { from = 0, to = maxBlock, role, limit, order } = query;
    assertWindow(from, to);
    const filter = ['history', params.address, from, to, role ?? '', order];
    const start = startOf(filter, query);
    return deps.snapshots.run(async (state) => {
      const rows = await deps.database.read<HistoryRecord>(getStatement(deps.statements, `history_${order}`), {
        ...snapshotParameters(state),
        address: hexDigits(params.address),
        from_block: from,
        to_block: to,
        at_block: start.block,
        at_index: start.index,
        role_mask: role ? roleMasks[role] : allRoles,
        limit: limit + 1,
      });
      const { page, hasMore, nextCursor } = pageOf(rows, filter, limit, (row) => ({
        block: Number(row.block_number),
        index: row.tx_index,
      }));
      const [hashes, coverage] = await Promise.all([
        deps.blockHashes.of(
          state,
          page.map((row) => Number(row.block_number)),
        ),
        coverageOf(deps, state, from, Math.min(to, maxBlock)),
      ]);
      const transactions = page.map((row) =>
        historyRow(deps.settings.chainId, state.head, hashes.get(Number(row.block_number)) ?? '', row),
      );
      const isEmpty = transactions.length === 0 && query.cursor === undefined;
      const source = isEmpty ? ('addr-index-empty' as const) : ('addr-index' as const);
      return { transactions, nextCursor, hasMore, limit, source, coverage, index: indexInfo(deps, state) };
    });
  },
});
