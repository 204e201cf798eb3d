import { byDay, type Chart, customChart } from '../chart.ts';
import { reorgSeries } from '../reorg-series.ts';
import { churned, recurring, retained } from '../sender-series.ts';

const daily = { tables: ['transactions'], ...byDay };
const daySeconds = 86_400;

const recurringAccounts = (days: number) =>
  customChart(
    'flow',
    [
      `activeRecurringAccounts${days}Days`,
      'accounts',
      `Recurring accounts, ${days} days`,
      null,
      `Distinct senders in the bucket that also sent in the ${days} days before it`,
    ],
    recurring(days),
    { ...daily, needsAllBlocks: true },
  );

const retainedAccounts = (days: number) =>
  customChart(
    'rate',
    [
      `newAccountsRetention${days}Days`,
      'accounts',
      `Retention of new accounts, ${days} days`,
      null,
      `Share of new senders in the bucket that sent again on another day within ${days} days; partial until these days are over`,
    ],
    retained(days),
    { ...daily, openSeconds: days * daySeconds, needsAllBlocks: true },
  );

const network = { tables: ['reorgs', 'blocks'] };

export const returnCharts: readonly Chart[] = [
  ...[60, 90, 120].map(recurringAccounts),
  customChart(
    'flow',
    [
      'churnedAccounts30Days',
      'accounts',
      'Churned accounts',
      null,
      'Senders whose last transaction was exactly 30 days before a day of the bucket; a sender that returns and leaves again is counted again',
    ],
    churned(30),
    { ...daily, needsAllBlocks: true },
  ),
  ...[7, 30, 90].map(retainedAccounts),
  customChart(
    'flow',
    ['reorgs', 'network', 'Reorgs', null, 'Reorgs that the index followed, by the time of the last common block'],
    reorgSeries(({ count }) => count),
    network,
  ),
  customChart(
    'flow',
    [
      'reorgedBlocks',
      'network',
      'Blocks removed by reorgs',
      null,
      'Blocks removed by reorgs, by the time of the last common block',
    ],
    reorgSeries(({ removed }) => removed),
    network,
  ),
  customChart(
    'flow',
    ['reorgDepth', 'network', 'Deepest reorg', null, 'Maximum number of blocks removed by one reorg; 0 without reorgs'],
    reorgSeries(({ deepest }) => deepest),
    network,
  ),
];
