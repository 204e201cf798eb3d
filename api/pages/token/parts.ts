import { type Html, html } from '../../drawing/html.ts';
import type { TokenName } from '../../read/tokens/token-names.ts';
import { computeShare, listTokenHolders } from '../../routes/tokens/list-holders.ts';
import { listNftTokens } from '../../routes/tokens/list-nft-tokens.ts';
import { listTokenTransfers, listTransfers } from '../../routes/tokens/list-transfers.ts';
import { getTokenSnapshot } from '../../routes/tokens/token-snapshot.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { callRoute, type RouteDeps, readParameters } from '../ask.ts';
import type { PageRequest } from '../page.ts';
import { chainText } from '../parts/chain-text.ts';
import { type FilterField, listFields, readDates, withForm } from '../parts/filters.ts';
import { blockLink, partyLink, txLink } from '../parts/links.ts';
import { nftLink } from '../parts/nft.ts';
import { amountOfToken, formatShare, unitsAmount } from '../parts/number.ts';
import { emptyList, pager } from '../parts/pager.ts';
import { table } from '../parts/table.ts';
import { age } from '../parts/time.ts';
import { type FilterDeps, leastField, readLeastTokens } from '../parts/token-filter.ts';
import { countRows } from '../parts/total.ts';
import { transferTable } from '../parts/transfers.ts';
import type { TokenReply } from './head.ts';

export type TokenPartDeps = FilterDeps &
  RouteDeps<
    | typeof listTokenTransfers
    | typeof listTransfers
    | typeof listTokenHolders
    | typeof listNftTokens
    | typeof getTokenSnapshot
  >;

/** Reads the data of a tab, and returns a function that renders it for a token. */
type Part = (deps: TokenPartDeps, request: PageRequest, address: string) => Promise<(token: TokenReply) => Html>;

const paging = (request: PageRequest, ...more: string[]) => ({
  limit: '25',
  ...readParameters(request.query, 'cursor', 'limit', ...more),
});

const transferFields: readonly FilterField[] = [
  {
    name: 'type',
    label: 'Kind',
    options: [
      ['', 'any'],
      ['mint', 'minted'],
      ['burn', 'burned'],
      ['transfer', 'other transfers'],
    ],
  },
  { name: 'account', label: 'Account', placeholder: 'address' },
  leastField,
  ...listFields,
];

export const transfersView: Part = (deps, request, address) =>
  withForm(request, transferFields, async (form) => {
    const conditions: Record<string, string> = {
      ...readParameters(request.query, 'type'),
      ...readDates(request.query),
      ...(await readLeastTokens(deps, request.query, address)),
    };
    const requested = { ...paging(request, 'order'), ...conditions };
    const { account } = readParameters(request.query, 'account');
    if (account !== undefined && conditions.type !== undefined)
      throw new ApiProblem('bad_query', 'account and kind cannot be combined: choose one');
    const page = await (account === undefined
      ? callRoute(deps, listTokenTransfers, { address }, requested)
      : callRoute(deps, listTransfers, {}, { ...requested, token: address, address: account, standard: 'all' }));
    return ({ name, symbol, decimals, transfers, index }) => {
      const { type, minValue, fromTime: from, toTime: to } = conditions;
      const isWhole = Object.keys(conditions).length === 0 && account === undefined;
      const total = isWhole
        ? { rows: transfers, block: index.head }
        : type === undefined
          ? countRows('token_transfers', { token: address, account, minValue, from, to })
          : undefined;
      const names = new Map<string, TokenName>([[address, { token: address, name, symbol, decimals }]]);
      return html`${form}${transferTable(request, page.items, names, { empty: emptyList(page, 'transfers', 'No transfers match.'), isOfToken: true })}${pager(request, page, 'transfers', total)}`;
    };
  });

export const holdersView: Part = (deps, request, address) =>
  withForm(request, [blockField], async (form) => {
    const { page, block } = await readHolders(deps, request, address);
    return ({ symbol, decimals, standard, holders, index }) =>
      html`${form}${
        block &&
        html`<p class="muted found">Holders after block ${blockLink(block.number)}, ${age(block.timestamp, request.now)}, computed from all transfers up to it. <a href="/api/v1/tokens/${address}/snapshot?block=${block.number}&amp;format=csv" download>CSV of all</a></p>`
      }${table({
        caption: 'Holders',
        rows: page.items,
        empty: 'No account holds this token.',
        columns: [
          { title: 'Holder', cell: (row) => partyLink(row.address) },
          {
            title: 'Balance',
            isNumber: true,
            cell: (row) =>
              amountOfToken(row.balance, { standard, decimals }, chainText(symbol, request.coin, 'symbol')),
          },
          { title: 'Share', isNumber: true, cell: formatShare },
        ],
      })}${pager(request, page, 'holders', block ? undefined : { rows: holders, block: index.head })}`;
  });

const blockField: FilterField = { name: 'block', label: 'After block', placeholder: 'newest' };

/** Reads the current holders, or those after the requested block. */
async function readHolders(deps: TokenPartDeps, request: PageRequest, address: string) {
  const asked = readParameters(request.query, 'block');
  if (asked.block === undefined)
    return { page: await callRoute(deps, listTokenHolders, { address }, paging(request)), block: undefined };
  const page = await callRoute(deps, getTokenSnapshot, { address }, paging(request, 'block'));
  const items = page.items.map((row) => ({ ...row, share: computeShare(BigInt(row.balance), BigInt(page.held)) }));
  return { page: { ...page, items }, block: page.block };
}

const amount = {
  title: 'Amount',
  isNumber: true,
  cell: (row: { amount: string }) => unitsAmount(row.amount, 0),
};

export const inventoryView: Part = async (deps, request, address) => {
  const page = await callRoute(deps, listNftTokens, { address }, paging(request));
  return ({ standard }) =>
    html`${table({
      caption: 'Tokens of this collection',
      rows: page.items,
      empty: 'No token of this collection has an owner.',
      columns: [
        { title: 'Token', cell: (row) => nftLink(address, row, request.coin) },
        { title: 'Owner', cell: (row) => partyLink(row.owner) },
        ...(standard === 'erc1155' ? [amount] : []),
        {
          title: 'Minted',
          cell: (row) =>
            row.mintTx === null || row.mintBlock === null
              ? '–'
              : html`${txLink(row.mintTx)}<small>block ${blockLink(row.mintBlock)}</small>`,
        },
      ],
    })}${pager(request, page, 'tokens')}`;
};
