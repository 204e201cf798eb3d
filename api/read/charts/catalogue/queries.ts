/** Charts that are queries of statistics, so that they need no figures of their own. */
import { splitIntoChunks } from '#runtime/lists.ts';
import { nextBucket } from '../../../terms/buckets.ts';
import { ApiProblem } from '../../../terms/errors.ts';
import type { Figures } from '../../../terms/figures.ts';
import { readLabelledAddresses } from '../../registry/labelled-addresses.ts';
import { type Chart, customChart, type Head } from '../chart.ts';
import { fat, ratio, shiftLeft } from '../decimals.ts';
import { type ChartDeps, type OwnSeries, requestWindow } from '../own-series.ts';
import type { ChartQuery } from '../query-charts.ts';
import { querySeries, readGroups } from '../query-series.ts';
import { subjectsAtOnce, sumByBucket } from '../subject-series.ts';

/** Divides a figure by the seconds of its time bucket since the first block, up to the newest block. */
const perSecond =
  (part: (figures: Figures) => bigint): OwnSeries =>
  async (request) => {
    const { deps, state, resolution, headTime } = request;
    const [series, firstTime = headTime] = await Promise.all([
      deps.series.read(resolution, state, requestWindow(request)),
      deps.blockTimes.first(state),
    ]);
    return new Map(
      [...series].map(([time, figures]) => {
        const seconds = Math.min(nextBucket(resolution, time), headTime) - Math.max(time, firstTime);
        return [time, ratio(part(figures), BigInt(Math.max(0, seconds)), 6)];
      }),
    );
  };

const maxProducers = 1_000;

/** @param show value of a chart for the numbers of blocks of all producers, largest first */
const ofProducers =
  (show: (blocks: readonly bigint[], all: bigint) => string | null): OwnSeries =>
  async (request) => {
    const query = { of: 'blocks', measure: 'count', groupBy: ['producer'], top: maxProducers } as const;
    const groups = await readGroups(request, query);
    return new Map(
      [...groups].map(([time, blocks]) => {
        const largest = [...blocks].sort((a, b) => Number(b - a));
        const all = blocks.reduce((sum, own) => sum + own, 0n);
        return [time, show(largest, all)];
      }),
    );
  };

function countForMajority(largest: readonly bigint[], all: bigint): string {
  let [count, sum] = [0, 0n];
  for (const own of largest) {
    if (2n * sum > all) break;
    [count, sum] = [count + 1, sum + own];
  }
  return String(count);
}

/** Coins that left the addresses of a category of the registry, by successful transactions. */
const sentBy =
  (category: string): OwnSeries =>
  async (request) => {
    const amounts: (readonly [number, bigint])[] = [];
    const addresses = await readLabelledAddresses(request.deps, 'category', category);
    for (const sender of splitIntoChunks(addresses, subjectsAtOnce)) {
      const query = { of: 'coin_transfers', measure: 'sum', field: 'value', filters: { sender } } as const;
      for (const { points } of await request.deps.queryCharts.read(request, query))
        for (const { time, value } of points) amounts.push([time, BigInt(value ?? 0)]);
    }
    return new Map([...sumByBucket(amounts)].map(([time, wei]) => [time, fat(wei)]));
  };

/** Adds up a measure of the transfers of all stablecoins. @param scale converts a value of one of them */
const ofStablecoins =
  (
    query: Pick<ChartQuery, 'measure' | 'field'>,
    scale: (value: bigint, decimals: number) => bigint,
    show: (sum: bigint) => string,
  ): OwnSeries =>
  async (request) => {
    const amounts: (readonly [number, bigint])[] = [];
    for (const { address, decimals } of await readStablecoins(request.deps)) {
      const own = { of: 'token_transfers', ...query, filters: { token: [address.slice(2)] } } as const;
      const points = (await request.deps.queryCharts.read(request, own)).flatMap((series) => series.points);
      for (const { time, value } of points) amounts.push([time, scale(BigInt(value ?? 0), decimals)]);
    }
    return new Map([...sumByBucket(amounts)].map(([time, sum]) => [time, show(sum)]));
  };

/** @throws ApiProblem bad_query if the operator named no stablecoins, or one has no known number of decimals */
async function readStablecoins({ database, settings }: ChartDeps) {
  const { dollars } = settings.price;
  if (dollars.length === 0)
    throw new ApiProblem('bad_query', 'this service names no stablecoins (STABLECOINS), so it has no charts of them');
  const names = await database.read('token_names', { addresses: dollars.map((address) => address.slice(2)) });
  return dollars.map((address) => {
    const { decimals = null } = names.find(({ token }) => token === address) ?? {};
    if (decimals === null || decimals > 18)
      throw new ApiProblem('indexing', `the number of decimals of the stablecoin ${address} is not known yet`);
    return { address, decimals };
  });
}

const transactions = { tables: ['transactions'] };
const blocks = { tables: ['blocks'] };
const tokenTransfers = { tables: ['token_transfers'] };

/** Ids and names of the transaction types of EIP-2718. */
const types: readonly (readonly [type: number, id: string, title: string, definition: string])[] = [
  [0, 'legacyTxns', 'Legacy transactions', 'Transactions of type 0'],
  [1, 'accessListTxns', 'Access list transactions', 'Transactions of type 1 (EIP-2930)'],
  [2, 'dynamicFeeTxns', 'Dynamic fee transactions', 'Transactions of type 2 (EIP-1559)'],
  [3, 'blobTxns', 'Blob transactions', 'Transactions of type 3 (EIP-4844)'],
  [4, 'setCodeTxns', 'Set code transactions', 'Transactions of type 4 (EIP-7702)'],
];

const standards = [
  ['erc721', 'token721Transfers', 'ERC-721 transfers'],
  ['erc1155', 'token1155Transfers', 'ERC-1155 transfers'],
] as const;

type Dataset = 'transactions' | 'token_transfers' | 'logs' | 'blocks';

const distinctOf = (of: Dataset, field: string, head: Head): Chart =>
  customChart('flow', head, querySeries({ of, measure: 'distinct', field }), { tables: [of] });

export const queryCharts: readonly Chart[] = [
  ...types.map(([type, id, title, definition]) =>
    customChart(
      'flow',
      [id, 'transactions', title, null, definition],
      querySeries({ of: 'transactions', measure: 'count', filters: { type: [String(type)] } }),
      transactions,
    ),
  ),
  ...standards.map(([standard, id, title]) =>
    customChart(
      'flow',
      [id, 'tokens', title, null, `${title}; each item of a batch counts`],
      querySeries({ of: 'token_transfers', measure: 'count', filters: { standard: [standard] } }),
      tokenTransfers,
    ),
  ),
  distinctOf('transactions', 'recipient', [
    'activeRecipients',
    'accounts',
    'Active recipients',
    null,
    'Distinct recipients of transactions, new contracts included',
  ]),
  distinctOf('token_transfers', 'token', [
    'activeTokens',
    'tokens',
    'Active tokens',
    null,
    'Distinct tokens with a transfer',
  ]),
  distinctOf('token_transfers', 'recipient', [
    'activeTokenRecipients',
    'tokens',
    'Active token recipients',
    null,
    'Distinct recipients of token transfers',
  ]),
  customChart(
    'flow',
    ['newTokens', 'tokens', 'New tokens', null, 'Tokens whose first transfer was in the time bucket'],
    querySeries({ of: 'token_transfers', measure: 'new', field: 'token' }),
    tokenTransfers,
  ),
  customChart(
    'flow',
    [
      'newTokenRecipients',
      'tokens',
      'New token recipients',
      null,
      'Accounts that received a token for the first time in the time bucket',
    ],
    querySeries({ of: 'token_transfers', measure: 'new', field: 'recipient' }),
    tokenTransfers,
  ),
  customChart(
    'flow',
    ['stablecoinTransfers', 'tokens', 'Stablecoin transfers', null, 'Transfers of the tokens in STABLECOINS'],
    ofStablecoins({ measure: 'count' }, (count) => count, String),
    tokenTransfers,
  ),
  customChart(
    'flow',
    [
      'stablecoinVolume',
      'tokens',
      'Stablecoin volume',
      'USD',
      'Amount of the transfers of the tokens in STABLECOINS, each token at one dollar, mints and burns included',
    ],
    ofStablecoins({ measure: 'sum', field: 'value' }, (value, decimals) => value * 10n ** BigInt(18 - decimals), fat),
    tokenTransfers,
  ),
  distinctOf('logs', 'contract', [
    'activeContracts',
    'contracts',
    'Active contracts',
    null,
    'Distinct contracts that emitted a log',
  ]),
  distinctOf('blocks', 'producer', [
    'activeValidators',
    'blocks',
    'Active validators',
    null,
    'Distinct producers of blocks',
  ]),
  customChart(
    'rate',
    ['averageTps', 'transactions', 'Average transactions per second', null, 'Transactions divided by elapsed seconds'],
    perSecond(({ counts }) => counts.transaction_count),
    transactions,
  ),
  customChart(
    'rate',
    ['gasPerSecond', 'gas', 'Gas per second', null, 'Gas used by blocks divided by elapsed seconds'],
    perSecond(({ counts }) => counts.gas_used),
    blocks,
  ),
  customChart(
    'rate',
    ['averageBaseFee', 'gas', 'Average base fee', 'gwei', 'Mean base fee per gas of blocks'],
    querySeries({ of: 'blocks', measure: 'average', field: 'base_fee' }, (wei) => shiftLeft(wei, 9)),
    blocks,
  ),
  customChart(
    'rate',
    [
      'largestValidatorShare',
      'blocks',
      'Share of the largest validator',
      null,
      'Largest share of blocks of one producer',
    ],
    ofProducers(([largest = 0n], all) => ratio(largest, all, 6)),
    blocks,
  ),
  customChart(
    'rate',
    [
      'validatorsForMajority',
      'blocks',
      'Validators for a majority',
      null,
      'Smallest number of producers that together produced more than half of the blocks',
    ],
    ofProducers(countForMajority),
    blocks,
  ),
  customChart(
    'flow',
    [
      'exchangeWithdrawals',
      'market',
      'Exchange withdrawals',
      'FAT',
      'Value of successful transactions from addresses of the registry category exchange',
    ],
    sentBy('exchange'),
    transactions,
  ),
];
