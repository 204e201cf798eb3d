/** Charts of transactions and of who sends them. */
import { active, type Chart, count, distinct, extreme, flow, fresh, growth, rank, ranked, rate } from '../chart.ts';
import { fat, quotient, ratio } from '../decimals.ts';

export const activityCharts: readonly Chart[] = [
  flow(
    ['newTxns', 'transactions', 'New transactions', null, 'Transactions included, failed ones too'],
    count('transaction_count'),
    {
      aliases: ['tx', 'transactions', 'newTxnsWindow'],
    },
  ),
  growth(
    ['txnsGrowth', 'transactions', 'Transactions in total', null, 'All transactions up to the end of the bucket'],
    count('transaction_count'),
  ),
  rate(
    [
      'txnsSuccessRate',
      'transactions',
      'Share of successful transactions',
      null,
      'Transactions that did not fail, of all',
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
    ['nativeValueMoved', 'transactions', 'Native value moved', 'FAT', 'Value of successful transactions'],
    ({ counts }) => fat(counts.native_value),
  ),
  rate(
    [
      'nativeValueMedian',
      'transactions',
      'Median native transfer',
      'FAT',
      'Value at rank 50 of 100 of native transfers',
    ],
    rank('value_p50', fat),
    ranked,
  ),
  rate(
    ['nativeValueP99', 'transactions', 'Large native transfer', 'FAT', 'Value at rank 99 of 100 of native transfers'],
    rank('value_p99', fat),
    ranked,
  ),
  flow(
    [
      'contractCalls',
      'transactions',
      'Transactions with call data',
      null,
      'To an address, with at least 4 bytes of call data',
    ],
    count('call_count'),
  ),
  flow(
    ['plainTransfers', 'transactions', 'Transactions without call data', null, 'To an address, without call data'],
    count('plain_count'),
  ),
  flow(
    [
      'newEip7702Auths',
      'transactions',
      'EIP-7702 authorizations',
      null,
      'Authorizations carried by transactions of type 4',
    ],
    count('authorization_count'),
  ),
  growth(
    [
      'eip7702AuthsGrowth',
      'transactions',
      'EIP-7702 authorizations in total',
      null,
      'All of them up to the end of the bucket',
    ],
    count('authorization_count'),
  ),
  rate(
    [
      'peakTps',
      'transactions',
      'Peak transactions per second',
      'tx/s',
      'Most transactions of one block over the seconds since the block before, at least one',
    ],
    extreme('peak_tps_milli', (value) => quotient(value, 1000n, 3)),
  ),

  distinct(
    [
      'activeAccounts',
      'accounts',
      'Active accounts',
      null,
      'Distinct senders in the bucket, counted for each bucket anew',
    ],
    active('sender'),
    { aliases: ['activeSenders'] },
  ),
  flow(
    ['newAccounts', 'accounts', 'New accounts', null, 'Addresses that sent their first transaction'],
    fresh('sender'),
  ),
  growth(
    ['accountsGrowth', 'accounts', 'Accounts in total', null, 'Addresses that have ever sent a transaction'],
    fresh('sender'),
  ),
  distinct(
    ['returningAccounts', 'accounts', 'Returning accounts', null, 'Distinct senders that had sent before the bucket'],
    ({ actors }) => actors.sender.active - actors.sender.fresh,
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
  flow(
    ['newAddresses', 'accounts', 'New addresses', null, 'Addresses that took part for the first time'],
    fresh('address'),
    { tables: ['transactions', 'logs'] },
  ),
  growth(
    ['addressesGrowth', 'accounts', 'Addresses in total', null, 'Addresses that have ever taken part'],
    fresh('address'),
    { aliases: ['address'], tables: ['transactions', 'logs'] },
  ),
  flow(
    [
      'newBuilderAccounts',
      'accounts',
      'New builders',
      null,
      'Addresses that created their first contract by a transaction',
    ],
    fresh('builder'),
  ),
  growth(
    [
      'builderAccountsGrowth',
      'accounts',
      'Builders in total',
      null,
      'Addresses that have ever created a contract by a transaction',
    ],
    fresh('builder'),
  ),
];
