import { z } from 'zod';
import { type ChainState, rollupParameters, snapshotParameters } from '#sql/snapshot.ts';
import { defineRoute } from '../../http/define-route.ts';
import { type FigureDeps, readFigures } from '../../read/chain/figures.ts';
import { missingBlocks } from '../../read/chain/freshness.ts';
import { fat } from '../../read/charts/decimals.ts';
import { always, type SeriesReader } from '../../read/charts/series-reader.ts';
import type { CoverageDeps, SnapshotDeps } from '../../read/reader-deps.ts';
import { paceBlocks } from '../../tail/recent-blocks.ts';
import { bucketStart } from '../../terms/buckets.ts';

const Counter = z
  .strictObject({
    id: z.string(),
    value: z.string(),
    title: z.string(),
    units: z.string().optional(),
    description: z.string(),
  })
  .meta({ id: 'Counter' });

type CounterRow = readonly [
  id: string,
  /** Null: unknown. */
  value: bigint | number | string | null,
  title: string,
  description: string,
  units?: string,
];

interface CounterDeps extends FigureDeps, CoverageDeps {
  readonly series: SeriesReader;
}

/** @source @blockscout/stats-types Counters */
export const listCounters = defineRoute({
  id: 'listCounters',
  base: '/api/v1',
  path: '/counters',
  methods: ['get'],
  tag: 'charts',
  summary: "Totals of the chain in the format of Blockscout's stats service",
  description:
    'The totals include all blocks up to the newest indexed one. Counters that missing blocks can change are absent: totals with `START_BLOCK` or while a block is missing. So are averages of nothing, such as the fee of a day without transactions.',
  params: z.object({}),
  query: z.object({}),
  response: z.strictObject({ counters: z.array(Counter) }).meta({ id: 'Counters' }),
  errors: ['indexing', 'store_unavailable'],
  maxAgeSeconds: 1,
  example: '/counters',
  handle: (deps: CounterDeps & SnapshotDeps) =>
    deps.snapshots.run(async (state) => ({
      counters: (await counterRows(deps, state)).flatMap(([id, value, title, description, units]) =>
        value === null ? [] : [{ id, value: String(value), title, ...(units ? { units } : {}), description }],
      ),
    })),
});

/** Returns a value, or null (unknown) if missing blocks can change it. */
type Certain = <T>(value: T) => T | null;

/**
 * Returns whether all relevant blocks are indexed: for counters of all blocks, since a time, and of the last
 * `paceBlocks` blocks.
 */
async function findCertain(
  deps: CounterDeps,
  state: ChainState,
  since: number,
): Promise<Record<'all' | 'new', Certain>> {
  const only =
    (isCertain: boolean): Certain =>
    (value) =>
      isCertain ? value : null;
  const missing = missingBlocks(state);
  if (missing.length === 0 && state.startBlock === 0) return { all: only(true), new: only(true) };
  const first = Math.min((await deps.blockTimes.blockAt(state, since)) ?? state.head, state.head - paceBlocks);
  const isNewCertain = first > state.startBlock && missing.every(({ to }) => to < first - 1);
  return { all: only(false), new: only(isNewCertain) };
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a table, in the order of the reply
async function counterRows(deps: CounterDeps, state: ChainState): Promise<CounterRow[]> {
  const headTime = await deps.blockTimes.head(state);
  const yesterday = Math.max(0, bucketStart('day', headTime) - 86_400);
  const [{ all: ofAll, new: ofNew }, figures, days, recent, { tokens }] = await Promise.all([
    findCertain(deps, state, yesterday),
    readFigures(deps, state),
    deps.series.read('day', state, always),
    deps.database.readOne('recent_counts', { ...snapshotParameters(state), head_time: headTime, yesterday }),
    deps.database.readOne('token_count', rollupParameters(state)),
  ]);
  const all = [...days.values()];
  const fresh = (kind: 'sender' | 'builder' | 'wallet') => all.reduce((sum, day) => sum + day.actors[kind].fresh, 0n);
  const userOps = all.reduce((sum, day) => sum + day.counts.user_op_count, 0n);
  const [txs24h, fees24h] = [Number(recent.transactions_24h), BigInt(recent.fees_24h)];
  return [
    [
      'averageBlockTime',
      ofNew(figures.averageBlockTime),
      'Average block time',
      'Average time between two blocks, over the last 100 blocks',
      's',
    ],
    [
      'completedTxns',
      ofAll(figures.transactions - figures.failedTransactions),
      'Completed transactions',
      'Transactions that did not fail',
    ],
    ['lastNewContracts', ofAll(figures.contracts), 'Contracts', 'Contracts created by transactions'],
    [
      'newContracts24h',
      ofNew(recent.contracts_24h),
      'New contracts in 24 hours',
      'Contracts created by transactions in the 24 hours before the newest block',
    ],
    ['newTxns24h', ofNew(txs24h), 'Transactions in 24 hours', 'Transactions in the 24 hours before the newest block'],
    ['totalAccounts', ofAll(fresh('sender')), 'Accounts', 'Addresses that sent at least one transaction'],
    ['totalAddresses', ofAll(figures.accounts), 'Addresses', 'Addresses that occur in at least one transaction'],
    ['totalBlocks', ofAll(figures.anchors), 'Blocks', 'Number of indexed blocks'],
    ['totalBuilderAccounts', ofAll(fresh('builder')), 'Builders', 'Addresses that created at least one contract'],
    ['totalContracts', ofAll(figures.contracts), 'Contracts', 'Contracts created by transactions'],
    [
      'totalNativeCoinTransfers',
      ofAll(figures.nativeTransfers),
      'Native transfers',
      'Successful transactions with value above 0',
    ],
    ['totalTokens', ofAll(tokens), 'Tokens', 'Contracts with at least one token transfer'],
    ['totalTxns', ofAll(figures.transactions), 'Transactions', 'Number of indexed transactions'],
    ['totalUserOps', ofAll(userOps), 'User operations', 'User operations of smart accounts (ERC-4337)'],
    [
      'totalAccountAbstractionWallets',
      ofAll(fresh('wallet')),
      'Smart wallets',
      'Smart accounts that sent at least one user operation',
    ],
    [
      'txnsFee24h',
      ofNew(fat(fees24h)),
      'Fees in 24 hours',
      'Fees of transactions in the 24 hours before the newest block',
      'FAT',
    ],
    [
      'averageTxnFee24h',
      txs24h === 0 ? null : ofNew(fat(fees24h / BigInt(txs24h))),
      'Average fee in 24 hours',
      'Fees divided by transactions, in the 24 hours before the newest block',
      'FAT',
    ],
    [
      'yesterdayTxns',
      ofNew(recent.yesterday_transactions),
      'Transactions yesterday',
      'Transactions on the UTC day before the day of the newest block',
    ],
  ];
}
