import { listValidators } from '../routes/network/list-validators.ts';
import { callRoute, type RouteDeps } from './ask.ts';
import { html } from './html.ts';
import { definePage } from './page.ts';
import { blockLink, fullAddress } from './parts/links.ts';
import { coinAmount, grouped, percent } from './parts/number.ts';
import { table } from './parts/table.ts';
import { when } from './parts/time.ts';

export const validatorsPage = definePage({
  id: 'validators',
  path: '/validators',
  nav: 'Validators',
  maxAgeSeconds: 1,
  handle: async (deps: RouteDeps<typeof listValidators>, { coin, now }) => {
    const { items, window, total, index } = await callRoute(deps, listValidators);
    const body = html`<h1>Validators</h1>
<p class="muted found">${grouped(total)} ${total === 1 ? 'validator' : 'validators'} produced the newest ${grouped(window.blocks)} blocks, ${blockLink(window.fromBlock)} to ${blockLink(window.toBlock)}.</p>
${table({
  caption: 'Validators',
  rows: items,
  empty: 'No blocks are indexed yet.',
  columns: [
    { title: 'Validator', cell: (row) => fullAddress(row.address) },
    { title: 'Blocks', isNumber: true, cell: (row) => grouped(row.blocks) },
    { title: 'Share', isNumber: true, cell: (row) => percent(row.share) },
    { title: 'Tips', isNumber: true, cell: (row) => coinAmount(row.tips, coin) },
    { title: 'Last block', isNumber: true, cell: (row) => (row.lastBlock === null ? '–' : blockLink(row.lastBlock)) },
    { title: 'When', cell: (row) => (row.lastSeen === null ? '–' : when(row.lastSeen, now)) },
  ],
})}`;
    return { title: 'Validators', index, body };
  },
});
