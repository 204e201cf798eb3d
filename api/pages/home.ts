import { listAnchors } from '../routes/anchors/list-anchors.ts';
import type { getChart } from '../routes/charts/get-chart.ts';
import { getGasOracle } from '../routes/network/get-gas-oracle.ts';
import { getStats } from '../routes/stats/get-stats.ts';
import { listLatestTransactions } from '../routes/transactions/list-transactions.ts';
import type { NetworkDeps } from '../terms/network.ts';
import { callRoute, type RouteDeps } from './ask.ts';
import { type Html, html } from './html.ts';
import { definePage } from './page.ts';
import { type ChartReply, sparkline } from './parts/chart.ts';
import { cord, knots } from './parts/cord.ts';
import { figures } from './parts/facts.ts';
import { blockLink, partyLink, txLink } from './parts/links.ts';
import { coinAmount, grouped, gwei, percent } from './parts/number.ts';
import { age } from './parts/time.ts';
import { methodView } from './parts/transactions.ts';
import { recentChart } from './recent-charts.ts';

const shown = 8;
const drawn = ['newTxns', 'averageGasPrice', 'txnsFee'] as const;

type HomeDeps = NetworkDeps &
  RouteDeps<
    typeof getStats | typeof listAnchors | typeof listLatestTransactions | typeof getGasOracle | typeof getChart
  >;

export const homePage = definePage({
  id: 'home',
  path: '/',
  maxAgeSeconds: 1,
  handle: async (deps: HomeDeps, { coin, now }) => {
    const [stats, blocks, latest, gas, ...charts] = await Promise.all([
      callRoute(deps, getStats),
      callRoute(deps, listAnchors, {}, { limit: String(knots) }),
      callRoute(deps, listLatestTransactions, {}, { limit: String(shown) }),
      callRoute(deps, getGasOracle),
      ...drawn.map((chart) => recentChart(deps, chart)),
    ]);
    const newest = blocks.items.filter((item) => item.canonical);
    const time = stats.averageBlockTime;
    const body = html`<h1 class="unseen">${deps.settings.network.chainName}: blocks, transactions, accounts</h1>
<section id="now" data-live aria-label="Newest blocks">${cord(newest)}${figures([
      ['Newest block', blockLink(stats.updatedAtBlock), time === null ? undefined : `one every ${time.toFixed(1)} s`],
      ['Transactions', grouped(stats.transactions), `${grouped(stats.transactions24h)} in 24 hours`],
      ['Accounts', grouped(stats.accounts), `${grouped(stats.contracts)} contracts`],
      ['Token transfers', grouped(stats.tokenTransfers), `${grouped(stats.events)} logs`],
      [
        'Gas price',
        gwei(gas.average.maxPriorityFeePerGas),
        gas.nextBaseFee !== null && html`tip; next base fee ${gwei(gas.nextBaseFee)}`,
      ],
      [
        'Fees in 24 hours',
        coinAmount(stats.fees24h, coin),
        `${percent(stats.transactions ? stats.failedTransactions / stats.transactions : 0)} of all transactions failed`,
      ],
    ])}</section>
<section id="drawings" class="sparks" data-live aria-label="Charts">${charts.map(sparkCard)}</section>
<div class="columns"><section id="blocks" data-live><h2><a href="/blocks">Blocks</a></h2><ol class="feed">${newest
      .slice(0, shown)
      .map(
        (block) =>
          html`<li data-key="${block.hash}"><p><strong>${blockLink(block.number)}</strong> ${age(block.timestamp, now)}</p><p>${grouped(block.transactionCount)} transactions <span class="muted">gas ${percent(block.gasUsedRatio, 0)}</span></p></li>`,
      )}</ol></section>
<section id="transactions" data-live><h2><a href="/txs">Transactions</a></h2><ol class="feed">${latest.items.map(
      (tx) =>
        html`<li data-key="${tx.txHash}"><p>${txLink(tx.txHash)} ${age(tx.timestamp, now)} ${methodView(tx)}${tx.status === 0 && html` <span class="bad-text">failed</span>`}</p><p>${partyLink(tx.from)} <span class="muted">to</span> ${partyLink(tx.to ?? tx.contractCreated)} <span class="end">${coinAmount(tx.value, coin)}</span></p></li>`,
    )}</ol></section></div>`;
    return { title: 'Explorer', index: stats.index, body };
  },
});

function sparkCard(reply: ChartReply): Html {
  const last = reply.points.findLast(({ value, partial }) => value !== null && !partial);
  return html`<a class="card" href="/charts/${reply.chart.id}"><span class="name">${reply.chart.title}</span> <span class="muted">per 5 minutes${
    last &&
    html`, last ${grouped(
      Number(last.value)
        .toPrecision(4)
        .replace(/\.?0+$/, ''),
    )} ${reply.chart.unit}`
  }</span>${sparkline(reply)}</a>`;
}
