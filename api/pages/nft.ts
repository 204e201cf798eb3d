import { html } from '../drawing/html.ts';
import { getToken } from '../routes/tokens/get-token.ts';
import { ApiProblem } from '../terms/errors.ts';
import { callRoute, type RouteDeps } from './ask.ts';
import { definePage, Redirect } from './page.ts';
import { FormProblem } from './parts/form-problem.ts';
import { linkTo } from './parts/pager.ts';
import { currentTab, type Tab, tabs } from './parts/tabs.ts';
import { tokenHead } from './token/head.ts';
import { type InstanceDeps, instanceView } from './token/instance.ts';
import { holdersView, inventoryView, type TokenPartDeps, transfersView } from './token/parts.ts';

const list: readonly Tab[] = [
  ['inventory', 'Tokens'],
  ['transfers', 'Transfers'],
  ['holders', 'Owners'],
];
const views = { inventory: inventoryView, transfers: transfersView, holders: holdersView };

export const nftPage = definePage({
  id: 'nft',
  path: '/nft/:address',
  maxAgeSeconds: 1,
  absent: {
    title: 'No NFT collection at this address',
    hint: 'The index contains no NFT transfers of this contract.',
  },
  handle: async (deps: RouteDeps<typeof getToken> & TokenPartDeps & InstanceDeps, request) => {
    const tab = currentTab(request, list) as keyof typeof views;
    const token = await callRoute(deps, getToken, { address: request.params.address });
    if (token.standard === 'erc20') return new Redirect(linkTo({ ...request, url: `/token/${token.address}` }, {}));
    const tokenId = request.query.get('id');
    if (tokenId !== null) {
      const back = html`<p><a href="/nft/${token.address}">All tokens of the collection</a></p>`;
      const view = await instanceView(deps, request, token, tokenId).catch((error: unknown) => {
        if (!(error instanceof ApiProblem) || error.code !== 'not_found') throw error;
        const detail = `no token with the id ${tokenId.slice(0, 80)} was ever transferred in this collection`;
        throw new FormProblem(detail, back, 'not_found');
      });
      return {
        title: `Token ${tokenId.slice(0, 20)}`,
        index: token.index,
        body: html`${tokenHead(token, request)}${back}${view}`,
      };
    }
    const part = await views[tab](deps, request, token.address);
    const body = html`${tokenHead(token, request)}${tabs(request, list, tab)}<section id="part">${part(token)}</section>`;
    return { title: `Collection ${token.address.slice(0, 10)}…`, index: token.index, body };
  },
});
