import type { z } from 'zod';
import { grouped } from '../drawing/grouped.ts';
import { type Html, html } from '../drawing/html.ts';
import { getMarket } from '../routes/markets/venues.ts';
import { callRoute, type RouteDeps } from './ask.ts';
import { definePage } from './page.ts';
import { chainText } from './parts/chain-text.ts';
import { figures } from './parts/facts.ts';
import { shortAmount } from './parts/number.ts';
import { table } from './parts/table.ts';
import { toSeconds, when } from './parts/time.ts';

type Venue = z.infer<typeof getMarket.response>;
type Level = NonNullable<Venue['book']>['bids'][number];

const maxLevels = 25;

export const marketPage = definePage({
  id: 'market',
  path: '/markets/:id',
  maxAgeSeconds: 0,
  isUnpinned: true,
  absent: { title: 'Venue not found', hint: 'The administrator of this service has configured no venue with this id.' },
  handle: async (deps: RouteDeps<typeof getMarket>, { params, coin, now }) => {
    const venue = await callRoute(deps, getMarket, { id: params.id });
    const { book, pair } = venue;
    const body = html`<h1>${chainText(venue.venue, coin)} <span class="badge">${pair}</span></h1><div id="state" data-live>${figures(
      [
        ['Mid', venue.mid === null ? '–' : shortAmount(grouped(venue.mid))],
        ['Spread', venue.spreadBps === null ? '–' : `${venue.spreadBps} bp`],
        ['Last read', venue.bookTime === null ? 'never' : when(toSeconds(venue.bookTime), now)],
        ['State', (venue.lastFault ?? (venue.stale ? 'stale' : 'fresh')).replaceAll('_', ' ')],
      ],
    )}${
      book === null
        ? html`<p class="empty">The order book of this venue was not read yet.</p>`
        : html`<div class="columns"><div>${sideView('Bids', book.bids, pair)}</div><div>${sideView('Asks', book.asks, pair)}</div></div>`
    }</div><p class="muted">The price of the coin does not use this order book: it comes from trades in pools.</p>`;
    return { title: `${pair} market`, body };
  },
});

function sideView(title: string, levels: readonly Level[], pair: string): Html {
  const [base = '', quote = ''] = pair.split('/');
  return html`<h2>${title}</h2>${table({
    caption: title,
    rows: levels.slice(0, maxLevels),
    empty: 'Empty.',
    columns: [
      { title: `Price, ${quote}`, isNumber: true, cell: ([price]) => grouped(price) },
      { title: `Size, ${base}`, isNumber: true, cell: ([, size]) => grouped(size) },
    ],
  })}`;
}
