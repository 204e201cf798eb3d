import type { z } from 'zod';
import { grouped } from '../drawing/grouped.ts';
import { type Html, html } from '../drawing/html.ts';
import { maxRanks } from '../read/accounts/top-accounts.ts';
import { getCoinSnapshot } from '../routes/accounts/coin-snapshot.ts';
import { listTopAccounts } from '../routes/accounts/list-top-accounts.ts';
import { ApiProblem } from '../terms/errors.ts';
import { callRoute, type RouteDeps, readParameters, returnProblem } from './ask.ts';
import { definePage, type PageRequest, type PageView } from './page.ts';
import { withForm } from './parts/filters.ts';
import { fullAddress } from './parts/links.ts';
import { coinAmount, counted, formatShare } from './parts/number.ts';
import { pager } from './parts/pager.ts';
import { table } from './parts/table.ts';
import { utc } from './parts/time.ts';
import { worth } from './parts/worth.ts';

export const accountsPage = definePage({
  id: 'accounts',
  path: '/accounts',
  nav: 'Accounts',
  maxAgeSeconds: 3,
  // /accounts/snapshot waits for a newer snapshot if the stored balances are newer
  isUnpinned: true,
  handle: (deps: Deps, request) =>
    withForm(request, [{ name: 'block', label: 'After block', placeholder: 'newest' }], async (form) => {
      const { block } = readParameters(request.query, 'block');
      const { index, content } = await (block === undefined
        ? newestView(deps, request)
        : pastView(deps, request, block));
      const body = html`<h1>Accounts</h1>
${form}
<section id="part">${content}</section>`;
      return { title: 'Accounts', index, body };
    }),
});

type Deps = RouteDeps<typeof listTopAccounts> & RouteDeps<typeof getCoinSnapshot>;

interface View {
  readonly index?: PageView['index'];
  readonly content: Html;
}

const pageParameters = ({ query }: PageRequest) => ({ limit: '25', ...readParameters(query, 'cursor', 'limit') });

async function newestView(deps: Deps, request: PageRequest): Promise<View> {
  const { coin } = request;
  const list = await callRoute(deps, listTopAccounts, {}, pageParameters(request));
  const content = html`<p class="muted found">${counted(list.accounts, 'account')} ${list.accounts === 1 ? 'holds' : 'hold'} ${coin}. The largest balance is first.${list.accounts > maxRanks && restNote} Balances are as of block ${grouped(list.snapshotBlock)}.${unaccounted(list, coin)}</p>
${table({
  caption: 'Accounts by balance',
  rows: list.items,
  empty: 'No balances are indexed yet.',
  columns: [
    { title: 'Rank', cell: (row) => grouped(row.rank) },
    { title: 'Address', cell: (row) => fullAddress(row.address) },
    { title: 'Balance', isNumber: true, cell: (row) => html`${coinAmount(row.balance, coin)}${worth(row.balance)}` },
    { title: 'Share', isNumber: true, cell: formatShare },
  ],
})}${pager(request, list, 'accounts')}`;
  return { index: list.index, content };
}

const restNote = html` Only the ${grouped(maxRanks)} largest accounts are listed. To list all, enter a finalized block.`;

/**
 * Supply and balances are often of different blocks, so part of the difference can be coins issued or burned between
 * them.
 */
function unaccounted({ unaccounted: wei, supply }: z.infer<typeof listTopAccounts.response>, coin: string) {
  if (wei === null || supply === null || wei === '0') return false;
  const at = html`the supply at block ${grouped(supply.block)}`;
  if (wei.startsWith('-'))
    return html` Together they hold ${coinAmount(wei.slice(1), coin)} more than ${at}: the two are of different blocks, or the configured supply is too low.`;
  return html` Of ${at}, the list lacks ${coinAmount(wei, coin)}: coins of accounts that no indexed block mentions, such as accounts of the genesis block, or coins of other blocks than the balances.`;
}

async function pastView(deps: Deps, request: PageRequest, block: string): Promise<View> {
  const { coin } = request;
  const list = await callRoute(deps, getCoinSnapshot, {}, { block, ...pageParameters(request) }).catch(returnProblem);
  if (list instanceof ApiProblem) return { content: html`<p class="empty">${list.detail}</p>` };
  const { number, timestamp } = list.block;
  const confirmed = list.confirmedByNode ? 'A node confirms them.' : 'No node has the state of this block.';
  const content = html`<p class="muted found">${counted(list.accounts, 'account')} held ${coinAmount(list.held, coin)} after block ${grouped(number)} (${utc(timestamp)} UTC). Balances are computed from later balances and movements. ${confirmed} <a href="/api/v1/accounts/snapshot?block=${number}&amp;format=csv" download>CSV</a></p>
${table({
  caption: `Accounts by balance after block ${number}`,
  rows: list.items,
  empty: 'No account had a balance.',
  columns: [
    { title: 'Address', cell: (row) => fullAddress(row.address) },
    { title: 'Balance', isNumber: true, cell: (row) => coinAmount(row.balance, coin) },
  ],
})}${pager(request, list, 'accounts')}`;
  return { index: list.index, content };
}
