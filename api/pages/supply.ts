import type { z } from 'zod';
import { grouped } from '../drawing/grouped.ts';
import { type Html, html } from '../drawing/html.ts';
import { getSupplyReconciliation } from '../routes/supply/get-supply.ts';
import { callRoute, type RouteDeps } from './ask.ts';
import { definePage } from './page.ts';
import { chainText, dataText } from './parts/chain-text.ts';
import { facts, figures } from './parts/facts.ts';
import { addressLink, blockLink } from './parts/links.ts';
import { coinAmount, counted, exactCoin } from './parts/number.ts';
import { table } from './parts/table.ts';
import { when } from './parts/time.ts';
import { worth } from './parts/worth.ts';

type Supply = z.infer<typeof getSupplyReconciliation.response>;

const verdicts = {
  holds: ['good', 'The amount minted here equals the amount burned on the origin chains.'],
  burns_pending: ['wait', 'More coin was burned on the origin chains than minted here: migrations are in progress.'],
  broken: ['bad', 'More coin was minted here than burned on the origin chains, or one burn was minted twice.'],
  unknown: [
    'wait',
    'The burned total of an origin chain could not be read, or no bridge is configured, so the amounts cannot be compared.',
  ],
} as const;

export const supplyPage = definePage({
  id: 'supply',
  path: '/supply',
  nav: 'Supply',
  maxAgeSeconds: 5,
  isUnpinned: true,
  handle: async (deps: RouteDeps<typeof getSupplyReconciliation>, { coin, now }) => {
    const supply = await callRoute(deps, getSupplyReconciliation);
    const [state, words] = verdicts[supply.migration.state];
    const body = html`<h1>Supply</h1>
<p class="muted found">At block ${blockLink(supply.asOfBlock)}, ${when(supply.timestamp, now)}. ${supply.stale && 'Newer amounts are not available yet.'}</p>
${figures([
  ['Total', exactCoin(supply.total.wei, coin), supply.formula.total],
  [
    'Circulating',
    html`${exactCoin(supply.circulating.wei, coin)}${worth(supply.circulating.wei)}`,
    supply.formula.circulating,
  ],
  ['Genesis', exactCoin(supply.genesis.wei, coin)],
  ['Emitted', exactCoin(supply.emitted.amount.wei, coin), `by ${supply.emitted.source}`],
])}<div class="verdict ${state}"><p class="line"><span class="badge ${state}">${supply.migration.state.replace('_', ' ')}</span> ${words}</p>${supply.alerts.map((alert) => html`<p>${dataText(alert)}</p>`)}</div>
<h2>Components</h2>${components(supply, coin, now)}<h2>Migration from legacy tokens</h2>${origins(supply, coin)}
${excluded(supply, coin)}<p class="muted">${supply.legacy.note}</p>`;
    return { title: 'Supply', body };
  },
});

function components({ emission, feesBurned, migration }: Supply, coin: string, now: number): Html {
  const { schedule, rewards } = emission;
  return facts([
    [
      'Emission by schedule',
      exactCoin(schedule.emitted.wei, coin),
      `period ${schedule.era}; the emission halves every ${schedule.eraYears} years`,
    ],
    ['Current emission per year', exactCoin(schedule.annual.wei, coin)],
    ['Next halving', when(schedule.nextHalving, now)],
    rewards !== null && [
      'Block rewards',
      exactCoin(rewards.emitted.wei, coin),
      rewards.count === null ? `reported by the node (${rewards.method})` : counted(rewards.count, 'reward'),
    ],
    ['Schedule converges to', exactCoin(schedule.asymptoticSupply.wei, coin)],
    ['Published maximum', exactCoin(emission.publishedMaximum.wei, coin), 'published figure, not calculated'],
    ['Fees burned', exactCoin(feesBurned.amount.wei, coin), feesBurned.isCounted ? 'subtracted' : 'not subtracted'],
    [
      'Migrated',
      migration.totalMigrated === null ? 'unknown' : exactCoin(migration.totalMigrated.wei, coin),
      migration.isCountedOnTop ? 'added to genesis' : 'part of genesis',
    ],
    ['Nullifiers (ids of burns)', showNullifiers(migration.nullifiers)],
  ]);
}

function showNullifiers({ holds, repeated }: Supply['migration']['nullifiers']): string {
  if (holds === null) return 'unknown';
  return holds ? 'each minted once' : `${repeated.length} minted more than once`;
}

function origins({ migration }: Supply, coin: string): Html {
  return table({
    caption: 'Origin chains',
    rows: migration.origins,
    empty: 'No origin chain is configured.',
    columns: [
      { title: 'Origin chain', cell: (row) => chainText(row.origin, coin) },
      {
        title: 'Burned there',
        isNumber: true,
        cell: (row) => (row.burned === null ? 'unknown' : coinAmount(row.burned.wei, coin)),
      },
      {
        title: 'Minted here',
        isNumber: true,
        cell: (row) => (row.migrated === null ? 'unknown' : coinAmount(row.migrated.wei, coin)),
      },
      { title: 'Mints', isNumber: true, cell: (row) => (row.mints === null ? 'unknown' : grouped(row.mints)) },
      {
        title: 'Difference',
        isNumber: true,
        cell: (row) => (row.difference === null ? '–' : coinAmount(row.difference.wei, coin)),
      },
      { title: 'Source', cell: (row) => dataText(row.source?.name ?? row.source?.fault ?? 'none') },
    ],
  });
}

function excluded({ excluded }: Supply, coin: string): Html {
  return html`<h2>Not in circulation</h2>${table({
    caption: 'Accounts outside circulation',
    rows: excluded,
    empty: 'The entire supply circulates.',
    columns: [
      { title: 'Account', cell: (row) => addressLink(row.address) },
      { title: 'Reason', cell: (row) => chainText(row.reason, coin) },
      { title: 'Balance', isNumber: true, cell: (row) => coinAmount(row.amount.wei, coin) },
    ],
  })}`;
}
