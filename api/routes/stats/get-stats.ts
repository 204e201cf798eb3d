import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { type FigureDeps, readFigures } from '../../read/chain/figures.ts';
import { genesisIndexInfo } from '../../read/chain/freshness.ts';
import { type PriceDeps, readKnownPrice } from '../../read/market/price.ts';
import type { ChainDeps, SnapshotDeps } from '../../read/reader-deps.ts';
import { Count, IndexInfo, Wei } from '../../terms/primitives.ts';

const Figures = z.strictObject({
  anchors: Count,
  transactions: Count,
  failedTransactions: Count,
  events: Count.meta({ description: 'Number of event logs on the chain' }),
  knots: Count.meta({
    description: 'Number of knots (events): event logs plus successful transactions that transferred native coins',
  }),
  nativeTransfers: Count,
  tokenTransfers: Count,
  accounts: Count.meta({
    description:
      'Number of distinct addresses that sent or received a transaction, were created by a transaction, or emitted a log',
  }),
  contracts: Count.meta({ description: 'Number of contracts created by transactions' }),
  gasUsed: Count,
  fees: Wei,
  tps: z.number().meta({ description: 'Average number of transactions per second over the last 100 blocks' }),
  averageBlockTime: z
    .number()
    .nullable()
    .meta({ description: 'Average time between two blocks over the last 100 blocks, seconds' }),
  transactions24h: Count,
  fees24h: Wei,
});

const Stats = Figures.extend({
  chainId: Count,
  fatPriceUsd: z.string().nullable().meta({
    description: 'Price of FAT (the native coin) as in /nativefat/price, USD; null without trades, or with START_BLOCK',
  }),
  fatPriceStale: z.boolean(),
  updatedAtBlock: Count,
  index: IndexInfo,
}).meta({ id: 'Stats' });

export const getStats = defineRoute({
  id: 'getStats',
  base: '/api/v1',
  path: '/stats',
  methods: ['get'],
  tag: 'stats',
  summary: 'Totals of the chain',
  description: 'The totals include all indexed blocks up to the newest one.',
  params: z.object({}),
  query: z.object({}),
  response: Stats,
  errors: ['indexing', 'store_unavailable'],
  maxAgeSeconds: 1,
  example: '/stats',
  handle: (deps: SnapshotDeps & FigureDeps & PriceDeps & ChainDeps) =>
    deps.snapshots.run(async (state) => {
      const [figures, price] = await Promise.all([readFigures(deps, state), readKnownPrice(deps, state)]);
      return {
        chainId: deps.settings.chainId,
        ...figures,
        fatPriceUsd: price?.price ?? null,
        fatPriceStale: price?.stale ?? true,
        updatedAtBlock: state.head,
        index: genesisIndexInfo(deps, state),
      };
    }),
});
