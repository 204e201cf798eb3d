import { resolutions } from '../../../terms/buckets.ts';
import type { CountName } from '../../../terms/figures.ts';
import { assertFirstBlocks } from '../../chain/freshness.ts';
import { type Chart, customChart } from '../chart.ts';
import { fat, ratio } from '../decimals.ts';
import { liquidityOfPool } from '../liquidity-series.ts';
import { addressesOfCategory, type OwnSeries, requestWindow } from '../own-series.ts';
import { type Measure, readAmounts, readGrowth } from '../subject-series.ts';

const readAmountsAs =
  (measure: Measure, show: (amount: bigint) => string): OwnSeries =>
  async (request) => {
    const amounts = await readAmounts(request, measure, [request.subject]);
    return new Map([...amounts].map(([time, amount]) => [time, show(amount)]));
  };

const readGrowthAs =
  (measure: Measure): OwnSeries =>
  async (request) =>
    new Map([...(await readGrowth(request, measure))].map(([time, total]) => [time, String(total)]));

/** Counts of holders need all transfers of the token. */
const fromFirstTransfer =
  (read: OwnSeries): OwnSeries =>
  (request) => {
    assertFirstBlocks(request.state, 'sums since the first block');
    return read(request);
  };

const shareReader =
  (measure: Measure, whole: CountName): OwnSeries =>
  async (request) => {
    const { deps, state, resolution } = request;
    const [amounts, all] = await Promise.all([
      readAmounts(request, measure, [request.subject]),
      deps.series.read(resolution, state, requestWindow(request)),
    ]);
    return new Map([...all].map(([time, { counts }]) => [time, ratio(amounts.get(time) ?? 0n, counts[whole], 6)]));
  };

const receivedBy =
  (category: string): OwnSeries =>
  async (request) => {
    const addresses = await addressesOfCategory(request.deps, category);
    if (!addresses) return undefined;
    const amounts = await readAmounts(request, 'received_value', addresses);
    return new Map([...amounts].map(([time, amount]) => [time, fat(amount)]));
  };

/** 5-minute buckets would need a row for nearly every transfer. */
const fromHour = { resolutions: resolutions.filter((name) => name !== '5min') };
const ofValidator = { subject: 'validator', tables: ['blocks'] } as const;
const ofMethod = { subject: 'method', tables: ['transactions'] } as const;
const ofToken = { subject: 'token', tables: ['logs'] } as const;

export const subjectCharts: readonly Chart[] = [
  customChart(
    'flow',
    ['validatorBlocks', 'subjects', 'Blocks of a validator', null, 'Blocks of this producer'],
    readAmountsAs('validator_blocks', String),
    ofValidator,
  ),
  customChart(
    'rate',
    [
      'validatorBlockShare',
      'subjects',
      'Block share of a validator',
      null,
      'Blocks of this producer divided by all blocks',
    ],
    shareReader('validator_blocks', 'block_count'),
    ofValidator,
  ),
  customChart(
    'flow',
    [
      'methodTransactions',
      'subjects',
      'Transactions of a method',
      null,
      'Transactions to an address whose call data starts with this method id, including failed ones',
    ],
    readAmountsAs('method_transactions', String),
    ofMethod,
  ),
  customChart(
    'rate',
    [
      'methodShare',
      'subjects',
      'Share of a method',
      null,
      'Transactions to an address whose call data starts with this method id, divided by all transactions',
    ],
    shareReader('method_transactions', 'transaction_count'),
    ofMethod,
  ),
  customChart(
    'flow',
    [
      'transfersOfToken',
      'subjects',
      'Transfers of a token',
      null,
      'Transfers of this token; each item of a batch counts',
    ],
    readAmountsAs('token_transfers', String),
    ofToken,
  ),
  customChart(
    'growth',
    [
      'transfersOfTokenGrowth',
      'subjects',
      'Transfers of a token in total',
      null,
      'Transfers of this token up to the end of the bucket',
    ],
    readGrowthAs('token_transfers'),
    ofToken,
  ),
  customChart(
    'flow',
    [
      'newHoldersOfToken',
      'subjects',
      'New holders of a token',
      null,
      'Holders gained minus holders lost; a holder has a balance above 0 over all ids',
    ],
    fromFirstTransfer(readAmountsAs('token_holders', String)),
    { ...ofToken, needsAllBlocks: true },
  ),
  customChart(
    'growth',
    [
      'holdersOfTokenGrowth',
      'subjects',
      'Holders of a token',
      null,
      'Holders of this token at the end of the bucket; a holder of two standards of one contract counts twice',
    ],
    fromFirstTransfer(readGrowthAs('token_holders')),
    ofToken,
  ),
  customChart(
    'flow',
    [
      'receivedByAddress',
      'subjects',
      'Received by an account',
      'FAT',
      'Value of successful transactions to this address, including the one that created it',
    ],
    readAmountsAs('received_value', fat),
    { subject: 'address', tables: ['transactions'], ...fromHour },
  ),
  customChart(
    'growth',
    [
      'liquidityOfPool',
      'subjects',
      'Liquidity of a pool',
      'USD',
      'Dollar tokens in this liquidity pool of the coin at the end of the bucket, computed from its transfers',
    ],
    liquidityOfPool,
    { subject: 'pool', tables: ['token_transfers'] },
  ),
  customChart(
    'flow',
    [
      'exchangeDeposits',
      'market',
      'Deposits to exchanges',
      'FAT',
      'Value of successful transactions to addresses that the current registry manifest labels as exchange',
    ],
    receivedBy('exchange'),
    { tables: ['transactions', 'registry_labels'], ...fromHour },
  ),
];
