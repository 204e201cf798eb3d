import { z } from 'zod';
import { hexDigits } from '#chain/codec/hex.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import { defineRoute } from '../../http/define-route.ts';
import { roleMasks } from '../../read/accounts/history-shape.ts';
import { planHistoryScan } from '../../read/accounts/read-history.ts';
import type { BlockWindow } from '../../read/chain/block-window.ts';
import { getPosition, type SortOrder } from '../../read/chain/paging.ts';
import { type RecentTransactionsDeps, readTransactions } from '../../read/chain/recent-transactions.ts';
import { planScan, type Scan, type ScanDeps } from '../../read/chain/scan-budget.ts';
import { walkList } from '../../read/chain/walk-list.ts';
import type { SignatureDeps } from '../../read/contracts/signatures/signatures.ts';
import type { ChainDeps, ListDeps, TimeDeps } from '../../read/reader-deps.ts';
import type { Position } from '../../terms/cursor.ts';
import {
  Address,
  Limit,
  listWindow,
  MethodId,
  pageParameters,
  toListSchema,
  WeiAmount,
} from '../../terms/primitives.ts';
import { Transaction, toTransaction } from './transaction.ts';

type WalkDeps = ListDeps & TimeDeps & ScanDeps & ChainDeps & SignatureDeps & RecentTransactionsDeps;

export const listTransactions = defineRoute({
  id: 'listTransactions',
  base: '/api/v1',
  path: '/transactions',
  methods: ['get'],
  tag: 'transactions',
  summary: 'List of transactions',
  description: 'You can filter the transactions by sender, recipient, status, method, value, block and time.',
  params: z.object({}),
  query: z.object({
    from: Address.optional().meta({ description: 'Return only transactions from this address' }),
    to: Address.optional().meta({
      description:
        'Return only transactions to this address, including the transaction that created the contract at this address',
    }),
    status: z
      .enum(['0', '1'], 'must be 0 (failed) or 1 (succeeded)')
      .optional()
      .meta({ type: 'integer', description: 'Return only transactions that succeeded (1) or failed (0)' }),
    method: MethodId.optional(),
    minValue: WeiAmount.optional().meta({ description: 'Minimum value of the transaction, wei' }),
    ...listWindow,
  }),
  response: toListSchema(Transaction),
  errors: ['bad_query', 'invalid_cursor', 'snapshot_invalidated', 'indexing', 'store_unavailable'],
  maxAgeSeconds: 1,
  example: '/transactions?limit=2',
  handle: async (deps: WalkDeps, { query }) => {
    const { limit: _, order, cursor: __, ...conditions } = query;
    return walkList(deps, ['transactions', order, conditions], query, async (walk) => {
      const { state, window } = walk;
      const { names, parameters, address } = selection(query);
      const scan = isScanned(query)
        ? await plan(deps, state, query, window, address, walk.after)
        : { window, stoppedAt: undefined };
      const readStored = (part: ChainState, toBlock: number, after: Position, count: number) =>
        deps.database.readBinary(names[order], {
          ...snapshotParameters(part),
          ...parameters,
          from_block: scan.window.fromBlock,
          to_block: toBlock,
          at_block: after.block,
          at_index: after.index,
          limit: count,
        });
      const read = (after: Position, count: number) =>
        isScanned(query)
          ? readStored(state, scan.window.toBlock, after, count)
          : readTransactions(deps, state, { ...scan.window, order, after, limit: count }, (part, toBlock, most) =>
              readStored(part, toBlock, after, most),
            );
      const { page, ...more } = await walk.read(read, getPosition, scan);
      const methodNames = await deps.signatures.methodNames(page.map(({ method_id }) => method_id));
      const items = page.map((row) => toTransaction(deps.settings.chainId, state, row, methodNames));
      return { items, ...more };
    });
  },
});

interface Conditions {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly status?: '0' | '1' | undefined;
  readonly method?: string | undefined;
  readonly minValue?: string | undefined;
}

const ofChain = { asc: 'transactions_asc', desc: 'transactions_desc' } as const;
const ofAddress = { asc: 'transactions_of_address_asc', desc: 'transactions_of_address_desc' } as const;
const scanned = { asc: 'scan_transactions_asc', desc: 'scan_transactions_desc' } as const;

const isScanned = ({ from, to, status, method, minValue }: Conditions) =>
  [status, method, minValue].some((asked) => asked !== undefined) || (from ?? to) !== undefined;

function plan(
  deps: ScanDeps,
  state: ChainState,
  { order }: { readonly order: SortOrder },
  window: BlockWindow,
  address: string | undefined,
  after: Position,
): Promise<Scan> {
  if (address !== undefined) return planHistoryScan(deps, state, { address, order, window }, after);
  return planScan(deps, state, { order, window }, after, (bounds) => deps.database.read(scanned[order], bounds));
}

function selection({ from, to, status, method = '', minValue = '0' }: Conditions) {
  const address = from ?? to;
  const parameters = {
    status: status === undefined ? -1 : Number(status),
    method,
    min_value: minValue,
    address: address === undefined ? '' : hexDigits(address),
    role_mask: from === undefined ? roleMasks.to : roleMasks.from,
    recipient: from !== undefined && to !== undefined ? hexDigits(to) : '',
  };
  return { names: address === undefined ? ofChain : ofAddress, parameters, address };
}

export const listLatestTransactions = defineRoute({
  ...listTransactions,
  id: 'listLatestTransactions',
  path: '/transactions/latest',
  summary: 'Latest transactions',
  description: 'Returns the newest transactions of the chain. This list has no filters.',
  query: z.object({ ...pageParameters, limit: Limit.unwrap().default(10) }),
  example: '/transactions/latest?limit=2',
  handle: (deps: WalkDeps, { query, ...input }) =>
    listTransactions.handle(deps, { ...input, query: { ...query, order: 'desc' } }),
});
