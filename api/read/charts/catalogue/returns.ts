/** Charts of accounts that come back, and of reorgs. */
import { byDay, type Chart, ofOwn } from '../chart.ts';
import { ofReorgs } from '../reorg-series.ts';
import { churned, recurring, retained } from '../sender-series.ts';

const daily = { tables: ['transactions'], ...byDay };
const daySeconds = 86_400;

const recurringAccounts = (days: number) =>
  ofOwn(
    'flow',
    [
      `activeRecurringAccounts${days}Days`,
      'accounts',
      `Recurring accounts, ${days} days`,
      null,
      `Distinct senders in the bucket that had sent in the ${days} days before it too`,
    ],
    recurring(days),
    daily,
  );

const retainedAccounts = (days: number) =>
  ofOwn(
    'rate',
    [
      `newAccountsRetention${days}Days`,
      'accounts',
      `Retention of new accounts, ${days} days`,
      null,
      `Of the senders whose first transaction lies in the bucket, the share that sent again on another day within ${days} days; open until these days are over`,
    ],
    retained(days),
    { ...daily, openSeconds: days * daySeconds },
  );

const network = { tables: ['reorgs', 'blocks'] };

export const returnCharts: readonly Chart[] = [
  ...[60, 90, 120].map(recurringAccounts),
  ofOwn(
    'flow',
    [
      'churnedAccounts30Days',
      'accounts',
      'Churned accounts',
      null,
      'Senders that had been silent for 30 days on a day of the bucket: they sent 30 days before it and not since. Who comes back and leaves again counts again',
    ],
    churned(30),
    daily,
  ),
  ...[7, 30, 90].map(retainedAccounts),
  ofOwn(
    'flow',
    [
      'reorgs',
      'network',
      'Reorgs',
      null,
      'Reorgs that were followed, by the time of the last block both branches share',
    ],
    ofReorgs(({ count }) => count),
    network,
  ),
  ofOwn(
    'flow',
    ['reorgedBlocks', 'network', 'Blocks removed by reorgs', null, 'Blocks that reorgs took away, by the same time'],
    ofReorgs(({ removed }) => removed),
    network,
  ),
  ofOwn(
    'flow',
    ['reorgDepth', 'network', 'Deepest reorg', null, 'Most blocks that one reorg took away; 0 where there was none'],
    ofReorgs(({ deepest }) => deepest),
    network,
  ),
];
