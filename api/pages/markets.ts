import type { z } from 'zod';
import { grouped } from '../drawing/grouped.ts';
import { html } from '../drawing/html.ts';
import type { PriceReply } from '../routes/markets/get-price.ts';
import { listMarkets } from '../routes/markets/venues.ts';
import { callRoute, type RouteDeps } from './ask.ts';
import { definePage } from './page.ts';
import { chainText } from './parts/chain-text.ts';
import { figures } from './parts/facts.ts';
import { addressLink, blockLink } from './parts/links.ts';
import { coinAmount, counted, percent, shortAmount } from './parts/number.ts';
import { table } from './parts/table.ts';
import { toSeconds, when } from './parts/time.ts';

const dollars = (price: string | null) => (price === null ? '–' : `$${shortAmount(grouped(price))}`);

type Canonical = z.output<typeof PriceReply>;

function priceBasis({ stale, index, window }: Canonical): string {
  if (stale) return index.complete ? 'no recent trade' : 'the index may lack blocks';
  return `over ${counted(Number((window.seconds / 3600).toFixed(1)), 'hour')}`;
}

function priceParts(canonical: Canonical, coin: string, now: number) {
  const { volume, lastTrade, pools } = canonical;
  return html`<div id="state" data-live>${figures([
    ['Price', dollars(canonical.price), priceBasis(canonical)],
    ['Volume', coinAmount(volume.base, coin), `${dollars(volume.quote)} in ${counted(volume.trades, 'trade')}`],
    ['Median', dollars(canonical.median), `${counted(canonical.leftOut.outliers, 'outlier')} excluded`],
    [
      'Last trade',
      lastTrade === null ? 'none' : when(lastTrade.timestamp, now),
      lastTrade !== null && blockLink(lastTrade.block),
    ],
  ])}</div><h2>Pools</h2>${table({
    caption: 'Pools of the decentralised exchange',
    rows: pools,
    empty: 'No pools found.',
    columns: [
      { title: 'Pool', cell: (row) => addressLink(row.address) },
      { title: 'Price', isNumber: true, cell: (row) => dollars(row.price) },
      { title: 'Weight', isNumber: true, cell: (row) => percent(row.weight) },
      { title: 'Volume', isNumber: true, cell: (row) => coinAmount(row.volume.base, coin) },
      { title: 'Trades', isNumber: true, cell: (row) => grouped(row.trades) },
      { title: 'Liquidity', isNumber: true, cell: (row) => dollars(row.liquidity.quote) },
      { title: 'Used for price', cell: (row) => (row.counted ? 'yes' : (row.refusal ?? 'no').replaceAll('_', ' ')) },
    ],
  })}`;
}

const priceUnknown = html`<p class="notice">The price is unknown: the index begins after block 0 (START_BLOCK), so the reserves
of liquidity pools are unknown.</p>`;

export const marketsPage = definePage({
  id: 'markets',
  path: '/markets',
  nav: 'Markets',
  maxAgeSeconds: 1,
  handle: async (deps: RouteDeps<typeof listMarkets>, { coin, now }) => {
    const { venues, centralised, canonical, index } = await callRoute(deps, listMarkets);
    const price = canonical === null ? priceUnknown : priceParts(canonical, coin, now);
    const body = html`<h1>Markets</h1>${price}<h2>Venues</h2><p class="muted">${centralised.note}.</p>${table({
      caption: 'Venues',
      rows: venues,
      empty: 'No venues configured.',
      columns: [
        { title: 'Venue', cell: (row) => html`<a href="/markets/${row.id}">${chainText(row.venue, coin)}</a>` },
        { title: 'Pair', cell: (row) => row.pair },
        { title: 'Mid', isNumber: true, cell: (row) => (row.mid === null ? '–' : shortAmount(grouped(row.mid))) },
        { title: 'Spread', isNumber: true, cell: (row) => (row.spreadBps === null ? '–' : `${row.spreadBps} bp`) },
        { title: 'Last read', cell: (row) => (row.bookTime === null ? 'never' : when(toSeconds(row.bookTime), now)) },
        { title: 'State', cell: (row) => (row.lastFault ?? (row.stale ? 'stale' : 'fresh')).replaceAll('_', ' ') },
      ],
    })}`;
    return { title: 'Markets', index, body };
  },
});
