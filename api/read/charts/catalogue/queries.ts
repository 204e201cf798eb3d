/** Charts whose values come from statistics queries (read/query). */
import { splitIntoChunks } from '#runtime/lists.ts';
import { nextBucket } from '../../../terms/buckets.ts';
import type { Figures } from '../../../terms/figures.ts';
import { type Chart, customChart, distinctChart } from '../chart.ts';
import { fat, ratio, shiftLeft } from '../decimals.ts';
import { addressesOfCategory, type OwnSeries, requestWindow } from '../own-series.ts';
import { querySeries, readGroups, readSums } from '../query-series.ts';
import { subjectsAtOnce, sumByBucket } from '../subject-series.ts';

/** Divides a sum by the seconds of its bucket between the first and the newest block. */
const perSecond =
  (part: (figures: Figures) => bigint): OwnSeries =>
  async (request) => {
    const { deps, state, resolution, headTime } = request;
    const [series, firstTime = headTime] = await Promise.all([
      deps.series.read(resolution, state, requestWindow(request)),
      deps.blockTimes.chartStart(state),
    ]);
    return new Map(
      [...series].map(([time, figures]) => {
        const seconds = Math.min(nextBucket(resolution, time), headTime) - Math.max(time, firstTime);
        return [time, ratio(part(figures), BigInt(Math.max(0, seconds)), 6)];
      }),
    );
  };

const maxProducers = 1_000;

/** @param show computes a chart value from the producers' block counts, largest first */
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

/** Sums coin transfers of the addresses of a registry category. */
const sumTransfers =
  (category: string, side: 'sender' | 'recipient', of: 'coin_transfers' | 'native_transfers'): OwnSeries =>
  async (request) => {
    const amounts: (readonly [number, bigint])[] = [];
    const addresses = await addressesOfCategory(request.deps, category);
    if (!addresses) return undefined;
    for (const chunk of splitIntoChunks(addresses, subjectsAtOnce)) {
      const query = { of, measure: 'sum', field: 'value', filters: { [side]: chunk } } as const;
      amounts.push(...(await readSums(request, query)));
    }
    return new Map([...sumByBucket(amounts)].map(([time, wei]) => [time, fat(wei)]));
  };

const exchangeFlows = [
  ['exchangeInflow', 'Inflow of exchanges', 'recipient', 'received'],
  ['exchangeOutflow', 'Outflow of exchanges', 'sender', 'sent'],
] as const;

const transactions = { tables: ['transactions'] };
const blocks = { tables: ['blocks'] };

/** Charts by transaction type. @source EIP-2718 */
const types: readonly (readonly [type: number, id: string, title: string, definition: string])[] = [
  [0, 'legacyTxns', 'Legacy transactions', 'Transactions of type 0'],
  [1, 'accessListTxns', 'Access list transactions', 'Transactions of type 1 (EIP-2930)'],
  [2, 'dynamicFeeTxns', 'Dynamic fee transactions', 'Transactions of type 2 (EIP-1559)'],
  [3, 'blobTxns', 'Blob transactions', 'Transactions of type 3 (EIP-4844)'],
  [4, 'setCodeTxns', 'Set code transactions', 'Transactions of type 4 (EIP-7702)'],
];

/** @source EIP-4844, GAS_PER_BLOB */
const gasPerBlob = 131_072n;

export const queryCharts: readonly Chart[] = [
  ...types.map(([type, id, title, definition]) =>
    customChart(
      'flow',
      [id, 'transactions', title, null, definition],
      querySeries({ of: 'transactions', measure: 'count', filters: { type: [String(type)] } }),
      transactions,
    ),
  ),
  distinctChart('transactions', 'recipient', [
    'activeRecipients',
    'accounts',
    'Active recipients',
    null,
    'Distinct recipients of transactions, new contracts included',
  ]),
  customChart(
    'flow',
    [
      'newContractsByContracts',
      'contracts',
      'New contracts of contracts',
      null,
      'Contracts created by other contracts; the chart fails if blocks of the time range have no traces',
    ],
    querySeries({ of: 'internal_creations', measure: 'count' }),
    { tables: ['internal_calls'] },
  ),
  distinctChart('logs', 'contract', [
    'activeContracts',
    'contracts',
    'Active contracts',
    null,
    'Distinct contracts that emitted a log',
  ]),
  distinctChart('blocks', 'producer', [
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
    'flow',
    ['blobs', 'transactions', 'Blobs', null, `Blobs of transactions: blob gas of blocks divided by ${gasPerBlob}`],
    querySeries({ of: 'blocks', measure: 'sum', field: 'blob_gas' }, (gas) => String(BigInt(gas) / gasPerBlob)),
    blocks,
  ),
  customChart(
    'flow',
    ['blobFees', 'gas', 'Blob fees', 'FAT', 'Fees for blobs, which are burned'],
    querySeries({ of: 'blocks', measure: 'sum', field: 'blob_fees' }, (wei) => fat(BigInt(wei))),
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
    sumTransfers('exchange', 'sender', 'coin_transfers'),
    transactions,
  ),
  ...exchangeFlows.map(([id, title, side, whose]) =>
    customChart(
      'flow',
      [
        id,
        'market',
        title,
        'FAT',
        `Coins that addresses of the registry category exchange ${whose}, internal transfers and transfers between exchanges included; the chart fails if blocks of the time range have no traces`,
      ],
      sumTransfers('exchange', side, 'native_transfers'),
      { tables: ['transactions', 'internal_calls'] },
    ),
  ),
];
