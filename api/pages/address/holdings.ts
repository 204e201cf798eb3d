import type { z } from 'zod';
import { zeroAddress } from '#chain/codec/hex.ts';
import { type Html, html } from '../../drawing/html.ts';
import type { PriceDeps } from '../../read/market/price.ts';
import { listAccountNfts } from '../../routes/accounts/list-account-nfts.ts';
import { listAccountTokens } from '../../routes/accounts/list-account-tokens.ts';
import { callRoute, type RouteDeps, readParameters } from '../ask.ts';
import type { PageRequest } from '../page.ts';
import { chainText, urlText } from '../parts/chain-text.ts';
import { type FilterField, filterForm, sizeField } from '../parts/filters.ts';
import { bareLink, blockLink } from '../parts/links.ts';
import { nftLink } from '../parts/nft.ts';
import { dollars, unitsAmount } from '../parts/number.ts';
import { pager } from '../parts/pager.ts';
import { table } from '../parts/table.ts';
import { worth } from '../parts/worth.ts';

export type HoldingDeps = PriceDeps & RouteDeps<typeof listAccountTokens | typeof listAccountNfts>;

type Holding = z.infer<typeof listAccountTokens.response>['items'][number];

/** A stablecoin counts as one dollar, and the wrapper token of the coin as one coin. Other tokens have no price. */
function tokenWorth(
  { settings: { price } }: HoldingDeps,
  { token, balance, decimals }: Holding,
): Html | string | false {
  if (decimals !== null && price.dollars.includes(token)) return dollars(Number(balance) / 10 ** decimals);
  return token === price.wrapped && decimals === 18 && worth(balance);
}

const burned = html`<p class="empty">Tokens sent to the zero address are burned, and not counted here: see the transfers of each token.</p>`;

/** A token has a value if the price settings give it a price. */
export async function tokensTab(deps: HoldingDeps, request: PageRequest, address: string): Promise<Html> {
  if (address === zeroAddress) return burned;
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
      { title: 'Contract', cell: (row) => bareLink(row.token, 'token') },
      {
        title: 'Balance',
        isNumber: true,
        cell: (row) => unitsAmount(row.balance, row.decimals, chainText(row.symbol, request.coin, 'symbol')),
      },
      { title: 'Value', isNumber: true, cell: (row) => tokenWorth(deps, row) || '–' },
    ],
  })}${pager(request, page, 'tokens')}`;
}

const standardField: FilterField = {
  name: 'standard',
  label: 'Standard',
  options: [
    ['', 'ERC-721'],
    ['erc1155', 'ERC-1155'],
  ],
};

export async function nftsTab(deps: HoldingDeps, request: PageRequest, address: string): Promise<Html> {
  if (address === zeroAddress) return burned;
  const page = await callRoute(
    deps,
    listAccountNfts,
    { address },
    { limit: '25', ...readParameters(request.query, 'cursor', 'limit', 'standard') },
  );
  return html`${filterForm(request, [standardField, sizeField])}${table({
    caption: 'NFTs',
    rows: page.items,
    empty: 'This address owns no tokens of this standard.',
    columns: [
      { title: 'Token', cell: (row) => nftLink(row.contract, row, request.coin) },
      { title: 'Amount', isNumber: true, cell: (row) => unitsAmount(row.amount, 0) },
      { title: 'Collection', cell: (row) => chainText(row.name, request.coin) },
      { title: 'Contract', cell: (row) => bareLink(row.contract, 'nft') },
      { title: 'Since block', cell: (row) => blockLink(row.acquiredBlock) },
      {
        title: 'Token URI',
        cell: (row) => (row.tokenURI === null ? '–' : urlText(row.tokenURI)),
      },
    ],
  })}${pager(request, page, 'NFTs')}`;
}
