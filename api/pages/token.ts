import { html } from '../drawing/html.ts';
import { getToken } from '../routes/tokens/get-token.ts';
import { callRoute, type RouteDeps } from './ask.ts';
import { definePage, Redirect } from './page.ts';
import { linkTo } from './parts/pager.ts';
import { currentTab, type Tab, tabs } from './parts/tabs.ts';
import { tokenHead } from './token/head.ts';
import { holdersView, type TokenPartDeps, transfersView } from './token/parts.ts';

const list: readonly Tab[] = [
  ['transfers', 'Transfers'],
  ['holders', 'Holders'],
];

export const tokenPage = definePage({
  id: 'token',
  path: '/token/:address',
  maxAgeSeconds: 1,
  absent: {
    title: 'No token at this address',
    hint: 'The index contains no token transfers of this contract. The address can still be an account or another contract.',
  },
  handle: async (deps: RouteDeps<typeof getToken> & TokenPartDeps, request) => {
    const tab = currentTab(request, list);
    const view = tab === 'holders' ? holdersView : transfersView;
    const token = await callRoute(deps, getToken, { address: request.params.address });
    if (token.standard !== 'erc20') return new Redirect(linkTo({ ...request, url: `/nft/${token.address}` }, {}));
    const part = await view(deps, request, token.address);
    const body = html`${tokenHead(token, request)}${tabs(request, list, tab)}<section id="part">${part(token)}</section>`;
    return { title: `Token ${token.address.slice(0, 10)}…`, index: token.index, body };
  },
});
