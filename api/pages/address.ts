import { grouped } from '../drawing/grouped.ts';
import { html } from '../drawing/html.ts';
import { getAccount } from '../routes/accounts/get-account.ts';
import { withoutChain } from '../terms/primitives.ts';
import { type ContractDeps, codeFacts } from './address/contract.ts';
import { exportLinks } from './address/export-links.ts';
import { type AccountPart, accountParts, type PartDeps } from './address/parts.ts';
import { callRoute, type RouteDeps } from './ask.ts';
import { definePage } from './page.ts';
import { chainText } from './parts/chain-text.ts';
import { figures } from './parts/facts.ts';
import { identicon } from './parts/identicon.ts';
import { checksummed, copyable } from './parts/links.ts';
import { coinAmount } from './parts/number.ts';
import { currentTab, type Tab, tabs } from './parts/tabs.ts';
import { age } from './parts/time.ts';
import { worth } from './parts/worth.ts';

const titles = {
  eoa: 'Address',
  contract: 'Contract',
  eip7702: 'Address with delegated code',
  unknown: 'Address',
} as const;
const list: readonly Tab[] = [
  ['transactions', 'Transactions'],
  ['internal', 'Internal transfers'],
  ['transfers', 'Token transfers'],
  ['tokens', 'Tokens'],
  ['nfts', 'NFTs'],
  ['balance', 'Balance'],
  ['events', 'Events'],
  ['contract', 'Contract'],
  ['read', 'Read contract'],
  ['write', 'Write contract'],
];
/** Tabs that only contracts have. */
const contractTabs: readonly string[] = ['events', 'contract', 'read', 'write'];

export const addressPage = definePage({
  id: 'address',
  path: '/address/:address',
  maxAgeSeconds: 1,
  handle: async (deps: RouteDeps<typeof getAccount> & ContractDeps & PartDeps, request) => {
    const { coin, now } = request;
    const requested = request.params.address;
    const tab = currentTab(request, list) as AccountPart;
    const asking = callRoute(deps, getAccount, { address: requested });
    const [account, { facts, isContract }, part] = await Promise.all([
      asking,
      asking.then((found) => codeFacts(deps, found, request)),
      accountParts[tab](deps, request, withoutChain(requested).toLowerCase()),
    ]);
    const { address, counts, lastSeen, firstSeen } = account;
    const seen = (at: typeof lastSeen) => (at === null ? 'never' : age(at.timestamp, now));
    const text = checksummed(address);
    const body = html`<div class="title"><h1>${titles[account.type]}</h1><p>${identicon(text)}<span class="hex whole" data-address="${address}">${text}</span>${copyable(text, 'address')}${
      // registry labels are shown below
      account.labels.length === 0 && html`<span class="named-too" data-address="${address}"></span>`
    }</p>${
      account.labels.length > 0 &&
      html`<p class="labels">${account.labels.map((label) => html`<span class="badge">${chainText(label.label, coin)}</span> `)}</p>`
    }</div><div id="state" data-live="/address/${address}">${figures([
      account.balance === null || account.balanceBlock === null
        ? ['Balance', 'unknown', 'no node returned the current state']
        : [
            'Balance',
            html`${coinAmount(account.balance, coin)}${worth(account.balance)}`,
            html`${account.stateSource === 'node' ? 'at' : 'as of'} block ${grouped(account.balanceBlock)}`,
          ],
      [
        'Transactions',
        grouped(counts.transactions),
        html`${grouped(counts.sent)} sent, ${grouped(counts.received)} received${counts.logs > 0 && html`, ${grouped(counts.logs)} with its logs`}`,
      ],
      ['Nonce', account.nonce === null ? 'unknown' : grouped(account.nonce)],
      ['Received', coinAmount(account.totals.valueIn, coin), 'in transactions, without internal transfers'],
      [
        'Sent',
        coinAmount(account.totals.valueOut, coin),
        html`in transactions, plus ${coinAmount(account.totals.fees, coin)} in fees`,
      ],
      ['Last seen', seen(lastSeen), html`first seen ${seen(firstSeen)}`],
    ])}</div>${facts}${tabs(request, isContract ? list : list.filter(([name]) => !contractTabs.includes(name)), tab)}<section id="part">${part}</section>${exportLinks(address)}`;
    return { title: `${titles[account.type]} ${text.slice(0, 10)}…`, index: account.index, body };
  },
});
