import {
  active,
  type Chart,
  count,
  distinct,
  extreme,
  firsts,
  flow,
  fresh,
  growth,
  rank,
  rankedBy,
  rate,
} from '../chart.ts';
import { fat, quotient, ratio } from '../decimals.ts';

export const activityCharts: readonly Chart[] = [
  flow(
    ['newTxns', 'transactions', 'New transactions', null, 'Transactions in blocks, including failed ones'],
    count('transaction_count'),
    {
      aliases: ['tx', 'transactions', 'newTxnsWindow'],
    },
  ),
  growth(
    ['txnsGrowth', 'transactions', 'Transactions in total', null, 'Transactions up to the end of the bucket'],
    count('transaction_count'),
  ),
  rate(
    [
      'txnsSuccessRate',
      'transactions',
      'Share of successful transactions',
      null,
      'Successful transactions divided by all transactions',
    ],
    ({ counts }) => ratio(counts.transaction_count - counts.failed_count, counts.transaction_count, 6),
  ),
  flow(
    ['failedTxns', 'transactions', 'Failed transactions', null, 'Transactions with status 0'],
    count('failed_count'),
  ),
  flow(
    ['newNativeCoinTransfers', 'transactions', 'Native transfers', null, 'Successful transactions with value above 0'],
    count('native_transfer_count'),
  ),
  flow(
    ['nativeValueMoved', 'transactions', 'Native value moved', 'FAT', 'Total value of successful transactions'],
    ({ counts }) => fat(counts.native_value),
  ),
  rate(
    ['nativeValueMedian', 'transactions', 'Median native transfer', 'FAT', 'Median of the value of native transfers'],
    rank('value_p50', fat),
    rankedBy({ of: 'coin_transfers', measure: 'p50', field: 'value' }, fat),
  ),
  rate(
    [
      'nativeValueP99',
      'transactions',
      'Native transfer, 99th percentile',
      'FAT',
      '99th percentile of the value of native transfers',
    ],
    rank('value_p99', fat),
    rankedBy({ of: 'coin_transfers', measure: 'p99', field: 'value' }, fat),
  ),
  flow(
    [
      'contractCalls',
      'transactions',
      'Transactions with call data',
      null,
      'Transactions to an address with at least 4 bytes of call data',
    ],
    count('call_count'),
  ),
  flow(
    [
      'plainTransfers',
      'transactions',
      'Transactions without call data',
      null,
      'Transactions to an address without call data',
    ],
    count('plain_count'),
  ),
  flow(
    ['newEip7702Auths', 'transactions', 'EIP-7702 authorizations', null, 'Authorizations in transactions of type 4'],
    count('authorization_count'),
  ),
  growth(
    [
      'eip7702AuthsGrowth',
      'transactions',
      'EIP-7702 authorizations in total',
      null,
      'EIP-7702 authorizations up to the end of the bucket',
    ],
    count('authorization_count'),
  ),
  rate(
    [
      'peakTps',
      'transactions',
      'Peak transactions per second',
      'tx/s',
      'Highest value of a block: its transactions divided by the seconds since the previous block, at least 1 s',
    ],
    extreme('peak_tps_milli', (value) => quotient(value, 1000n, 3)),
  ),

  distinct(
    ['activeAccounts', 'accounts', 'Active accounts', null, 'Distinct senders in the bucket'],
    active('sender'),
    { aliases: ['activeSenders'] },
  ),
  firsts(['newAccounts', 'accounts', 'New accounts', null, 'Addresses that sent their first transaction'], 'sender'),
  growth(
    ['accountsGrowth', 'accounts', 'Accounts in total', null, 'Distinct senders up to the end of the bucket'],
    fresh('sender'),
  ),
  distinct(
    ['returningAccounts', 'accounts', 'Returning accounts', null, 'Distinct senders that also sent before the bucket'],
    ({ actors }) => actors.sender.active - actors.sender.fresh,
    { needsAllBlocks: true },
  ),
  distinct(
    [
      'activeAddresses',
      'accounts',
      'Active addresses',
      null,
      'Distinct addresses that sent, received, were created or emitted a log',
    ],
    active('address'),
    { aliases: ['active-address'], tables: ['transactions', 'logs'] },
  ),
  firsts(
    ['newAddresses', 'accounts', 'New addresses', null, 'Addresses that were active for the first time'],
    'address',
    { tables: ['transactions', 'logs'] },
  ),
  growth(
    [
      'addressesGrowth',
      'accounts',
      'Addresses in total',
      null,
      'Distinct active addresses up to the end of the bucket',
    ],
    fresh('address'),
    { aliases: ['address'], tables: ['transactions', 'logs'] },
  ),
  firsts(
    [
      'newBuilderAccounts',
      'accounts',
      'New builders',
      null,
      'Addresses that created their first contract with a transaction',
    ],
    'builder',
  ),
  growth(
    [
      'builderAccountsGrowth',
      'accounts',
      'Builders in total',
      null,
      'Addresses that created a contract with a transaction, up to the end of the bucket',
    ],
    fresh('builder'),
  ),
];
