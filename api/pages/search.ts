/** Search page. Redirects to the only exact match, unless it matches by a name that anyone can choose. */
import type { z } from 'zod';
import { isHash } from '#chain/codec/hex.ts';
import { grouped } from '../drawing/grouped.ts';
import { type Html, html } from '../drawing/html.ts';
import { search } from '../routes/search/search.ts';
import { callRoute, type RouteDeps, readParameters } from './ask.ts';
import { definePage, Redirect } from './page.ts';
import { chainText, readableText } from './parts/chain-text.ts';
import { bareLink, blockLink, checksummed, shortHex, txLink } from './parts/links.ts';
import { counted } from './parts/number.ts';
import { table } from './parts/table.ts';

type Item = z.infer<typeof search.response>['items'][number];

const kinds = {
  anchor: 'Block',
  transaction: 'Transaction',
  address: 'Address',
  entity: 'Entity',
  token: 'Token',
  nft: 'NFT',
  method: 'Method',
} as const;

export const searchPage = definePage({
  id: 'search',
  path: '/search',
  maxAgeSeconds: 1,
  handle: async (deps: RouteDeps<typeof search>, { query, coin }) => {
    const { q } = readParameters(query, 'q');
    if (q === undefined) return new Redirect('/');
    const found = await callRoute(deps, search, {}, { q });
    const exact = found.items.filter(
      (item) =>
        item.match === 'exact' &&
        !['token', 'nft', 'method'].includes(item.type) &&
        !(item.type === 'address' && item.name !== null),
    );
    if (exact.length === 1 && exact[0]) return new Redirect(getPath(exact[0]));
    // the transaction page also shows pending transactions
    if (found.items.length === 0 && isHash(q)) return new Redirect(`/tx/${q}`);
    const body = html`<h1>Search</h1><p class="muted found">${found.items.length === found.limit ? `The first ${found.limit} results` : counted(found.items.length, 'result')} for “<bdi>${readableText(found.query, 'text')}</bdi>”, best first.</p>
${table({
  caption: 'Search results',
  rows: found.items,
  empty: `No match up to block ${grouped(found.index.head)}. Search for an address, a transaction hash, a block number or hash, or part of a token name.`,
  columns: [
    { title: 'Kind', cell: getKind },
    { title: 'Name', cell: (item) => getName(item, coin) },
    { title: 'Link', cell: getLink },
    { title: 'Holders', isNumber: true, cell: (item) => ('token' in item ? grouped(item.token.holders) : '–') },
  ],
})}`;
    return { title: 'Search', index: found.index, body };
  },
});

const signatureKinds: Readonly<Record<string, string>> = { function: 'Method', event: 'Event', error: 'Error' };

const getKind = (item: Item) =>
  html`<span class="nowrap">${item.type === 'method' ? (signatureKinds[item.kind] ?? 'Method') : kinds[item.type]}</span>`;

function getPath(item: Item): string {
  if (item.type === 'anchor') return `/block/${item.canonical ? item.number : item.hash}`;
  if (item.type === 'transaction') return `/tx/${item.txHash}`;
  if (item.type === 'address') return `/address/${checksummed(item.address)}`;
  if (item.type === 'method') return methodPath(item);
  return item.type === 'entity' ? `/entity/${item.id}` : `/${item.type}/${checksummed(item.token.address)}`;
}

/** Events link to the contracts that emit them. */
const methodPath = ({ kind, selector }: Extract<Item, { type: 'method' }>) =>
  kind === 'event'
    ? `/charts/query?of=logs&topic0=${selector}&groupBy=contract&resolution=all`
    : `/txs?method=${selector}`;

function getName(item: Item, coin: string): Html | string {
  if (item.type === 'entity') return html`<a href="${getPath(item)}">${chainText(item.label ?? item.kind, coin)}</a>`;
  if (item.type === 'address' && item.name !== null)
    return html`<a href="${getPath(item)}">${chainText(item.name, coin)}</a>`;
  if (item.type === 'method') return html`<code>${readableText(item.signature, 'text')}</code>`;
  if (!('token' in item)) return '–';
  return html`<a href="${getPath(item)}">${chainText(item.token.name, coin)}</a> <small>${chainText(item.token.symbol, coin, 'symbol')}</small>`;
}

function getLink(item: Item): Html {
  if (item.type === 'anchor')
    return item.canonical ? blockLink(item.number) : html`<a href="${getPath(item)}">${shortHex(item.hash)}</a>`;
  if (item.type === 'transaction') return txLink(item.txHash);
  if (item.type === 'address') return bareLink(item.address);
  if (item.type === 'method')
    return html`<a class="hex" href="${getPath(item)}" title="${item.selector}">${shortHex(item.selector)}</a>`;
  return item.type === 'entity'
    ? item.address === null
      ? html`<a class="hex" href="/entity/${item.id}" title="${item.id}">${shortHex(item.id)}</a>`
      : bareLink(item.address)
    : bareLink(item.token.address, item.type);
}
