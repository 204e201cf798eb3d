import { grouped } from '../../drawing/grouped.ts';
import { type Html, html } from '../../drawing/html.ts';
import { listNftTokens } from '../../routes/tokens/list-nft-tokens.ts';
import { listTokenTransfers } from '../../routes/tokens/list-transfers.ts';
import { getNftToken } from '../../routes/tokens/nft-token.ts';
import { callRoute, type RouteDeps, readParameters } from '../ask.ts';
import type { PageRequest } from '../page.ts';
import { chainText, dataText, urlText } from '../parts/chain-text.ts';
import { facts } from '../parts/facts.ts';
import { copyable, partyLink, txLink } from '../parts/links.ts';
import { unitsAmount } from '../parts/number.ts';
import { emptyList, pager } from '../parts/pager.ts';
import { table } from '../parts/table.ts';
import { age } from '../parts/time.ts';
import { transferTable } from '../parts/transfers.ts';
import type { TokenReply } from './head.ts';

export type InstanceDeps = RouteDeps<typeof getNftToken | typeof listNftTokens | typeof listTokenTransfers>;

type Metadata = Awaited<ReturnType<typeof readInstance>>['instance']['metadata'];

const states: Readonly<Record<Metadata['state'], string>> = {
  found: 'read from the URI of the contract',
  pending: 'being fetched: reload the page in some seconds',
  none: 'the contract returns no URI',
  failed: 'not readable',
  off: 'not fetched by this service',
};

async function readInstance(deps: InstanceDeps, request: PageRequest, address: string, tokenId: string) {
  const paging = { limit: '25', ...readParameters(request.query, 'cursor', 'limit', 'order') };
  const asking = callRoute(deps, getNftToken, { address, tokenId });
  // a contract can implement two standards: list the owners under the standard of this token
  const listOwners = asking.then(({ standard }) =>
    callRoute(deps, listNftTokens, { address }, { tokenId, standard, limit: '25' }),
  );
  const [instance, owners, transfers] = await Promise.all([
    asking,
    listOwners,
    callRoute(deps, listTokenTransfers, { address }, { ...paging, tokenId }),
  ]);
  return { instance, owners, transfers };
}

export async function instanceView(
  deps: InstanceDeps,
  request: PageRequest,
  token: TokenReply,
  tokenId: string,
): Promise<Html> {
  const { address, name, symbol, decimals } = token;
  const { instance, owners, transfers } = await readInstance(deps, request, address, tokenId);
  const { metadata } = instance;
  const names = new Map([[address, { token: address, name, symbol, decimals }]]);
  return html`<section><h2>Token #${grouped(tokenId)} ${copyable(tokenId, 'token ID')}</h2>${
    metadata.picture !== null &&
    html`<p class="picture"><img src="${metadata.picture}" alt="Picture of token ${tokenId}" width="320" height="320"></p>`
  }${facts([
    metadata.name !== null && ['Name', chainText(metadata.name, request.coin)],
    metadata.description !== null && ['Description', dataText(metadata.description)],
    [
      'Metadata',
      html`${states[metadata.state]}${metadata.fetchedAt !== null && html` ${age(Date.parse(metadata.fetchedAt) / 1000, request.now)}`}`,
    ],
    metadata.error !== null && ['Error', dataText(metadata.error)],
    metadata.uri !== null && ['URI', urlText(metadata.uri)],
    [
      'Owner',
      owners.items.length === 0
        ? 'no account'
        : html`${owners.items.map((row) => html`${partyLink(row.owner)}${row.amount !== '1' && html` (${unitsAmount(row.amount, 0)})`} `)}${owners.hasMore && 'and others'}`,
    ],
    owners.items[0]?.mintTx != null && ['Minted', txLink(owners.items[0].mintTx)],
  ])}${
    metadata.traits.length > 0 &&
    html`<h3>Traits</h3>${table({
      caption: 'Traits',
      rows: metadata.traits,
      empty: '',
      columns: [
        { title: 'Trait', cell: (trait) => chainText(trait.name, request.coin) },
        { title: 'Value', cell: (trait) => chainText(trait.value, request.coin) },
      ],
    })}`
  }<h3>History</h3>${transferTable(request, transfers.items, names, { empty: emptyList(transfers, 'transfers', 'No transfers of this token.'), isOfToken: true })}${pager(request, transfers, 'transfers')}</section>`;
}
