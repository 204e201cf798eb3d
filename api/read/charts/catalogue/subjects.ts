/** Charts of one validator, method, token or account, and what flows to exchanges. */
import { resolutions } from '../../../terms/buckets.ts';
import type { CountName } from '../../../terms/figures.ts';
import { type Chart, ofOwn } from '../chart.ts';
import { fat, ratio } from '../decimals.ts';
import { type OwnSeries, type SeriesRequest, windowOf } from '../own-series.ts';
import { type Measure, readAmounts, readGrowth } from '../subject-series.ts';

const amountsOf =
  (measure: Measure, show: (amount: bigint) => string): OwnSeries =>
  async (request) => {
    const amounts = await readAmounts(request, measure, [request.subject]);
    return new Map([...amounts].map(([time, amount]) => [time, show(amount)]));
  };

const growthOf =
  (measure: Measure): OwnSeries =>
  async (request) =>
    new Map([...(await readGrowth(request, measure))].map(([time, total]) => [time, String(total)]));

/** Amounts of the subject over a figure of the whole chain. */
const shareOf =
  (measure: Measure, whole: CountName): OwnSeries =>
  async (request) => {
    const { deps, state, resolution } = request;
    const [amounts, all] = await Promise.all([
      readAmounts(request, measure, [request.subject]),
      deps.series.read(resolution, state, windowOf(request)),
    ]);
    return new Map([...all].map(([time, { counts }]) => [time, ratio(amounts.get(time) ?? 0n, counts[whole], 6)]));
  };

/** Most addresses of a category that are looked at. */
const maxLabelled = 100_000;

const receivedBy =
  (category: string): OwnSeries =>
  async (request) => {
    const amounts = await readAmounts(request, 'received_value', await labelled(request, category));
    return new Map([...amounts].map(([time, amount]) => [time, fat(amount)]));
  };

async function labelled({ deps }: SeriesRequest, category: string): Promise<string[]> {
  const rows = await deps.database.read('labelled_addresses', { category, limit: maxLabelled });
  return rows.map(({ address_hex }) => address_hex);
}

/** Received values are not kept by 5 minutes: nearly every transfer would be a row of its own. */
const fromHour = { resolutions: resolutions.filter((name) => name !== '5min') };
const ofValidator = { subject: 'validator', tables: ['blocks'] } as const;
const ofMethod = { subject: 'method', tables: ['transactions'] } as const;
const ofToken = { subject: 'token', tables: ['logs'] } as const;

export const subjectCharts: readonly Chart[] = [
  ofOwn(
    'flow',
    ['validatorBlocks', 'subjects', 'Blocks of a validator', null, 'Blocks with this producer'],
    amountsOf('validator_blocks', String),
    ofValidator,
  ),
  ofOwn(
    'rate',
    ['validatorBlockShare', 'subjects', 'Block share of a validator', null, 'Blocks with this producer, of all'],
    shareOf('validator_blocks', 'block_count'),
    ofValidator,
  ),
  ofOwn(
    'flow',
    [
      'methodTransactions',
      'subjects',
      'Transactions of a method',
      null,
      'Transactions to an address whose call data begins with this method id, failed ones too',
    ],
    amountsOf('method_transactions', String),
    ofMethod,
  ),
  ofOwn(
    'rate',
    [
      'methodShare',
      'subjects',
      'Share of a method',
      null,
      'Transactions to an address whose call data begins with this method id, of all transactions',
    ],
    shareOf('method_transactions', 'transaction_count'),
    ofMethod,
  ),
  ofOwn(
    'flow',
    [
      'transfersOfToken',
      'subjects',
      'Transfers of a token',
      null,
      'Transfers of this token; an item of a batch counts as one',
    ],
    amountsOf('token_transfers', String),
    ofToken,
  ),
  ofOwn(
    'growth',
    ['transfersOfTokenGrowth', 'subjects', 'Transfers of a token in total', null, 'All up to the end of the bucket'],
    growthOf('token_transfers'),
    ofToken,
  ),
  ofOwn(
    'flow',
    [
      'newHoldersOfToken',
      'subjects',
      'New holders of a token',
      null,
      'Holders that this token gained minus those it lost; a holder has a balance above 0 over all ids',
    ],
    amountsOf('token_holders', String),
    ofToken,
  ),
  ofOwn(
    'growth',
    [
      'holdersOfTokenGrowth',
      'subjects',
      'Holders of a token',
      null,
      'Holders of this token at the end of the bucket; who holds tokens of two standards of one contract counts in each',
    ],
    growthOf('token_holders'),
    ofToken,
  ),
  ofOwn(
    'flow',
    [
      'receivedByAddress',
      'subjects',
      'Received by an account',
      'FAT',
      'Value of successful transactions to this address, creations of it included',
    ],
    amountsOf('received_value', fat),
    { subject: 'address', tables: ['transactions'], ...fromHour },
  ),
  ofOwn(
    'flow',
    [
      'exchangeDeposits',
      'market',
      'Deposits to exchanges',
      'FAT',
      'Value of successful transactions to addresses that the registry manifest puts into the category exchange now',
    ],
    receivedBy('exchange'),
    { tables: ['transactions', 'registry_labels'], ...fromHour },
  ),
];
