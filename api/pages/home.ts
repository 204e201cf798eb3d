import type { z } from 'zod';
import { anywhere, Cache } from '../cache/cache.ts';
import { perDatabase } from '../cache/per-database.ts';
import { grouped } from '../drawing/grouped.ts';
import { type Html, html } from '../drawing/html.ts';
import { type FigureDeps, readFigures } from '../read/chain/figures.ts';
import { genesisIndexInfo } from '../read/chain/freshness.ts';
import { type CoinPriceDeps, readCoinPrice } from '../read/market/recent-price.ts';
import type { ChainDeps } from '../read/reader-deps.ts';
import { listAnchors } from '../routes/anchors/list-anchors.ts';
import type { getChart } from '../routes/charts/get-chart.ts';
import { getGasOracle } from '../routes/network/get-gas-oracle.ts';
import { getSupplyReconciliation } from '../routes/supply/get-supply.ts';
import { listLatestTransactions } from '../routes/transactions/list-transactions.ts';
import type { NetworkDeps } from '../terms/network.ts';
import { callRoute, ignoreProblem, type RouteDeps } from './ask.ts';
import { definePage } from './page.ts';
import { type ChartReply, sparkline } from './parts/chart.ts';
import { cord, knots } from './parts/cord.ts';
import { figures } from './parts/facts.ts';
import { blockLink, partyLink, txLink } from './parts/links.ts';
import { coinAmount, counted, dollars, gwei, percent } from './parts/number.ts';
import { age } from './parts/time.ts';
import { methodView } from './parts/transactions.ts';
import { worth } from './parts/worth.ts';
import { unpinned } from './pinned-snapshots.ts';
import { recentChart } from './recent-charts.ts';

const shown = 8;
const drawn = ['newTxns', 'averageGasPrice', 'txnsFee'] as const;

type HomeDeps = NetworkDeps &
  CoinPriceDeps &
  FigureDeps &
  ChainDeps &
  RouteDeps<
    | typeof getSupplyReconciliation
    | typeof listAnchors
    | typeof listLatestTransactions
    | typeof getGasOracle
    | typeof getChart
  >;

export const homePage = definePage({
  id: 'home',
  path: '/',
  maxAgeSeconds: 1,
  handle: async (deps: HomeDeps, { coin, now }) => {
    const [price, supply, stats, blocks, latest, gas, ...charts] = await Promise.all([
      readCoinPrice(unpinned(deps)),
      recentSupply(deps),
      readTotals(deps),
      callRoute(deps, listAnchors, {}, { limit: String(knots) }),
      callRoute(deps, listLatestTransactions, {}, { limit: String(shown) }),
      callRoute(deps, getGasOracle),
      ...drawn.map((chart) => recentChart(deps, chart)),
    ]);
    const newest = blocks.items.filter((item) => item.canonical);
    const time = stats.averageBlockTime;
    const body = html`<h1 class="unseen">${deps.settings.network.chainName}: blocks, transactions, accounts</h1>
<section id="now" data-live aria-label="Newest blocks">${cord(newest)}${figures([
      priceFigure(price, supply, coin),
      ['Newest block', blockLink(stats.updatedAtBlock), time === null ? undefined : `one every ${time.toFixed(1)} s`],
      [
        'Transactions',
        grouped(stats.transactions),
        `${grouped(stats.transactions24h)} in 24 hours; ${percent(stats.transactions ? stats.failedTransactions / stats.transactions : 0)} of all transactions failed`,
      ],
      ['Accounts', grouped(stats.accounts), counted(stats.contracts, 'contract')],
      ['Token transfers', grouped(stats.tokenTransfers), counted(stats.events, 'log')],
      gasPrice(gas),
      ['Fees in 24 hours', html`${coinAmount(stats.fees24h, coin)}${worth(stats.fees24h)}`, 'paid by senders'],
    ])}</section>
<section id="drawings" class="sparks" data-live aria-label="Charts">${charts.map(sparkCard)}</section>
<div class="columns"><section id="blocks" data-live><h2><a href="/blocks">Blocks</a></h2><ol class="feed">${newest
      .slice(0, shown)
      .map(
        (block) =>
          html`<li data-key="${block.hash}"><p><strong>${blockLink(block.number)}</strong> ${age(block.timestamp, now)}</p><p>${counted(block.transactionCount, 'transaction')} <span class="muted">gas ${percent(block.gasUsedRatio, 0)}</span></p></li>`,
      )}</ol></section>
<section id="transactions" data-live><h2><a href="/txs">Transactions</a></h2><ol class="feed">${latest.items.map(
      (tx) =>
        html`<li data-key="${tx.txHash}"><p>${txLink(tx.txHash)} ${age(tx.timestamp, now)} ${methodView(tx)}${tx.status === 0 && html` <span class="bad-text">failed</span>`}</p><p>${partyLink(tx.from)} <span class="muted">to</span> ${partyLink(tx.to ?? tx.contractCreated)} <span class="end">${tx.status === 0 ? html`<span class="void">${coinAmount(tx.value, coin)}</span>` : coinAmount(tx.value, coin)}</span></p></li>`,
    )}</ol></section></div>`;
    return { title: 'Explorer', index: stats.index, body };
  },
});

/** Totals of the route /stats without its price, which costs more to read than all totals. */
const readTotals = (deps: HomeDeps) =>
  deps.snapshots.run(async (state) => ({
    ...(await readFigures(deps, state)),
    updatedAtBlock: state.head,
    index: genesisIndexInfo(deps, state),
  }));

type Figure = Parameters<typeof figures>[0][number];

/** Gas price of a typical transaction: base fee of the next block plus the usual tip. @source EIP-1559 */
function gasPrice({ average, nextBaseFee }: z.infer<typeof getGasOracle.response>): Figure {
  const tip = average.maxPriorityFeePerGas;
  if (nextBaseFee === null) return ['Suggested gas price', gwei(tip)];
  const total = String(BigInt(nextBaseFee) + BigInt(tip));
  return ['Suggested gas price', gwei(total), html`base fee ${gwei(nextBaseFee)} and tip ${gwei(tip)}`];
}

function priceFigure(price: number | undefined, circulating: string | undefined, coin: string): Figure {
  if (price === undefined) return [`Price of 1 ${coin}`, 'unknown', 'no current price'];
  const cap = circulating !== undefined && `market cap ${dollars(price * (Number(circulating) / 1e18))}`;
  return [`Price of 1 ${coin}`, dollars(price), cap || undefined];
}

const supplies = perDatabase(() => new Cache<string>('circulating'));

/** Reads the circulating supply, wei, at most 15 s old; undefined if unknown. */
function recentSupply(deps: HomeDeps): Promise<string | undefined> {
  const read = async () => (await callRoute(unpinned(deps), getSupplyReconciliation)).circulating.wei;
  return supplies(deps.database).of('', anywhere, read).catch(ignoreProblem);
}

function sparkCard(reply: ChartReply): Html {
  const last = reply.points.findLast(({ value, partial }) => value !== null && !partial);
  return html`<a class="card" href="/charts/${reply.chart.id}"><span class="name">${reply.chart.title}</span> <span class="muted">per 5 minutes${
    last &&
    html`, last ${Number(last.value).toLocaleString('en-US', { maximumSignificantDigits: 4 })} ${reply.chart.unit}`
  }</span>${sparkline(reply)}</a>`;
}
