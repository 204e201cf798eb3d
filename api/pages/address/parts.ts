import { readTokenNames } from '../../compatible/token-names.ts';
import { listAccountNfts } from '../../routes/accounts/list-account-nfts.ts';
import { listAccountTokens } from '../../routes/accounts/list-account-tokens.ts';
import { listAccountTransactions } from '../../routes/accounts/list-account-transactions.ts';
import { listTransfers } from '../../routes/tokens/list-transfers.ts';
import { callRoute, type RouteDeps, readParameters } from '../ask.ts';
import { type ReadTabDeps, readTab, writeTab } from '../contract/function-tabs.ts';
import { sourceTab } from '../contract/source-tab.ts';
import { type Html, html } from '../html.ts';
import type { PageRequest } from '../page.ts';
import { chainText } from '../parts/chain-text.ts';
import { addressLink, blockLink, shortHex } from '../parts/links.ts';
import { grouped, unitsAmount } from '../parts/number.ts';
import { pager } from '../parts/pager.ts';
import { table } from '../parts/table.ts';
import { transactionTable } from '../parts/transactions.ts';
import { transferTable } from '../parts/transfers.ts';

export type AccountPart = 'transactions' | 'transfers' | 'tokens' | 'nfts' | 'contract' | 'read' | 'write';
export type PartDeps = ReadTabDeps &
  RouteDeps<typeof listAccountTransactions | typeof listTransfers | typeof listAccountTokens | typeof listAccountNfts>;
type Part = (deps: PartDeps, request: PageRequest, address: string) => Promise<Html>;

const transactions: Part = async (deps, request, address) => {
  const requested = {
    limit: '25',
    ...readParameters(request.query, 'cursor', 'limit', 'order', 'role', 'from', 'to', 'fromTime', 'toTime'),
  };
  const page = await callRoute(deps, listAccountTransactions, { address }, requested);
  const empty =
    page.source === 'addr-index-empty' && page.coverage.complete
      ? 'No matching transactions. The index is complete.'
      : 'No matching transactions were found, but the index is not complete yet.';
  return html`${roleFilter(request)}${transactionTable(request, page.transactions, { empty, self: address })}${pager(request, page, 'transactions')}`;
};

function roleFilter({ url, query }: PageRequest): Html {
  const role = query.get('role') ?? '';
  const option = (value: string, title: string) =>
    html`<option value="${value}"${value === role && html` selected`}>${title}</option>`;
  return html`<form class="filter" action="${url.split('?')[0]}"><label>Role <select name="role">${option('', 'any')}${option('from', 'sent')}${option('to', 'received')}${option('log', 'in a log')}</select></label> <label>Order <select name="order"><option value="desc">newest first</option><option value="asc"${query.get('order') === 'asc' && html` selected`}>oldest first</option></select></label> <button>Show</button></form>`;
}

const transfers: Part = async (deps, request, address) => {
  const requested = { limit: '25', ...readParameters(request.query, 'cursor', 'limit', 'order', 'token') };
  const page = await callRoute(deps, listTransfers, {}, { ...requested, address, standard: 'all' });
  const names = await readTokenNames(
    deps,
    page.items.map(({ token }) => token),
  );
  return html`${transferTable(request, page.items, names, { self: address, empty: 'No token transfers of this address match.' })}${pager(request, page, 'transfers')}`;
};

const tokens: Part = async (deps, request, address) => {
  const page = await callRoute(
    deps,
    listAccountTokens,
    { address },
    { limit: '25', ...readParameters(request.query, 'cursor', 'limit') },
  );
  return html`${table({
    caption: 'Tokens',
    rows: page.items,
    empty: 'This address holds no tokens.',
    columns: [
      { title: 'Token', cell: (row) => chainText(row.name, request.coin) },
      { title: 'Contract', cell: (row) => addressLink(row.token, 'token') },
      {
        title: 'Balance',
        isNumber: true,
        cell: (row) => unitsAmount(row.balance, row.decimals, chainText(row.symbol, request.coin, 'symbol')),
      },
    ],
  })}${pager(request, page, 'tokens')}`;
};

const nfts: Part = async (deps, request, address) => {
  const page = await callRoute(
    deps,
    listAccountNfts,
    { address },
    { limit: '25', ...readParameters(request.query, 'cursor', 'limit') },
  );
  return html`${table({
    caption: 'NFTs',
    rows: page.items,
    empty: 'This address owns no ERC-721 tokens.',
    columns: [
      {
        title: 'Token',
        cell: (row) => html`<span title="${row.tokenId}">#${shortHex(grouped(row.tokenId), 16, 8)}</span>`,
      },
      { title: 'Collection', cell: (row) => chainText(row.name, request.coin) },
      { title: 'Contract', cell: (row) => addressLink(row.contract, 'nft') },
      { title: 'Since block', cell: (row) => blockLink(row.acquiredBlock) },
      {
        title: 'Token URI',
        cell: (row) =>
          html`<small class="uri">${row.tokenURI === null ? '–' : chainText(row.tokenURI, request.coin)}</small>`,
      },
    ],
  })}${pager(request, page, 'NFTs')}`;
};

export const accountParts: Readonly<Record<AccountPart, Part>> = {
  transactions,
  transfers,
  tokens,
  nfts,
  contract: sourceTab,
  read: readTab,
  write: writeTab,
};
