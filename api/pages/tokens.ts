import { grouped } from '../drawing/grouped.ts';
import { html } from '../drawing/html.ts';
import { listTokens } from '../routes/tokens/list-tokens.ts';
import { callRoute, type RouteDeps, readParameters } from './ask.ts';
import { definePage } from './page.ts';
import { chainText } from './parts/chain-text.ts';
import { bareLink } from './parts/links.ts';
import { amountOfToken } from './parts/number.ts';
import { pager } from './parts/pager.ts';
import { table } from './parts/table.ts';
import { age } from './parts/time.ts';

const sorts = { holders: 'most holders', transfers: 'most transfers', age: 'newest' } as const;
const standards = { erc20: 'ERC-20', erc721: 'ERC-721', erc1155: 'ERC-1155' } as const;

const getKind = ({ standard }: { readonly standard: string }) => (standard === 'erc20' ? 'token' : 'nft');

export const tokensPage = definePage({
  id: 'tokens',
  path: '/tokens',
  nav: 'Tokens',
  maxAgeSeconds: 1,
  handle: async (deps: RouteDeps<typeof listTokens>, request) => {
    const { coin, now, query } = request;
    const requested = { limit: '25', ...readParameters(query, 'cursor', 'limit', 'q', 'type', 'sort') };
    const list = await callRoute(deps, listTokens, {}, requested);
    const options = (all: Record<string, string>, name: string) =>
      Object.entries(all).map(
        ([value, title]) =>
          html`<option value="${value}"${query.get(name) === value && html` selected`}>${title}</option>`,
      );
    const body = html`<h1>Tokens</h1>
<p class="muted found">Anyone can create a token with any name. Check the contract address.</p>
<p><a href="/tokentxns">Transfers of all tokens</a></p>
<form class="filter" action="/tokens"><label>Name <input name="q" maxlength="100" value="${query.get('q')}"></label> <label>Standard <select name="type"><option value="">any</option>${options(standards, 'type')}</select></label> <label>Order <select name="sort">${options(sorts, 'sort')}</select></label> <button>Show</button></form>
${table({
  caption: 'Tokens',
  rows: list.items,
  empty: 'No tokens match.',
  columns: [
    {
      title: 'Name',
      cell: (row) =>
        html`<a href="/${getKind(row)}/${row.address}">${chainText(row.name, coin)}</a>${row.symbol !== null && html` <small>${chainText(row.symbol, coin, 'symbol')}</small>`}`,
    },
    { title: 'Contract', cell: (row) => bareLink(row.address, getKind(row)) },
    { title: 'Standard', cell: (row) => standards[row.standard] },
    { title: 'Holders', isNumber: true, cell: (row) => grouped(row.holders) },
    { title: 'Transfers', isNumber: true, cell: (row) => grouped(row.transfers) },
    { title: 'In 24 hours', isNumber: true, cell: (row) => grouped(row.transfers24h) },
    {
      title: 'Supply',
      isNumber: true,
      cell: (row) =>
        row.totalSupply === null || row.supplyBlock === null
          ? '–'
          : html`<span title="at block ${grouped(row.supplyBlock)}">${amountOfToken(row.totalSupply, row)}</span>`,
    },
    { title: 'First seen', cell: (row) => age(row.firstSeen, now) },
  ],
})}${pager(request, list, 'tokens')}`;
    return { title: 'Tokens', index: list.index, body };
  },
});
