import { html } from '../drawing/html.ts';
import { listTopAccounts } from '../routes/accounts/list-top-accounts.ts';
import { callRoute, type RouteDeps, readParameters } from './ask.ts';
import { definePage } from './page.ts';
import { fullAddress } from './parts/links.ts';
import { coinAmount, grouped, percent } from './parts/number.ts';
import { pager } from './parts/pager.ts';
import { table } from './parts/table.ts';
import { worth } from './parts/worth.ts';

export const accountsPage = definePage({
  id: 'accounts',
  path: '/accounts',
  nav: 'Accounts',
  maxAgeSeconds: 3,
  handle: async (deps: RouteDeps<typeof listTopAccounts>, request) => {
    const { coin, query } = request;
    const list = await callRoute(
      deps,
      listTopAccounts,
      {},
      { limit: '25', ...readParameters(query, 'cursor', 'limit') },
    );
    const body = html`<h1>Accounts</h1>
<p class="muted found">${grouped(list.accounts)} accounts hold ${coin}. The largest balance is first. Balances are as of block ${grouped(list.snapshotBlock)}.</p>
${table({
  caption: 'Accounts by balance',
  rows: list.items,
  empty: 'No balances are indexed yet.',
  columns: [
    { title: 'Rank', cell: (row) => grouped(row.rank) },
    { title: 'Address', cell: (row) => fullAddress(row.address) },
    { title: 'Balance', isNumber: true, cell: (row) => html`${coinAmount(row.balance, coin)}${worth(row.balance)}` },
    { title: 'Share', isNumber: true, cell: (row) => percent(row.share, 4) },
  ],
})}${pager(request, list, 'accounts')}`;
    return { title: 'Accounts', index: list.index, body };
  },
});
