/** Pages of lists with route replies that a test chain does not give: huge, tiny, or single numbers. */
import test from 'ava';
import type { Html } from '#api/drawing/html.ts';
import { accountsPage } from '#api/pages/accounts.ts';
import { entityPage } from '#api/pages/entity.ts';
import { marketsPage } from '#api/pages/markets.ts';
import type { PageView } from '#api/pages/page.ts';
import { formatShare } from '#api/pages/parts/number.ts';
import { problemView } from '#api/pages/problem-page.ts';
import { agentsPage } from '#api/pages/registry/agents.ts';
import { assetsPage } from '#api/pages/registry/assets.ts';
import { statusPage } from '#api/pages/status.ts';
import { holdersView } from '#api/pages/token/parts.ts';
import { getCoinSnapshot } from '#api/routes/accounts/coin-snapshot.ts';
import { listTopAccounts } from '#api/routes/accounts/list-top-accounts.ts';
import { listAiAgents } from '#api/routes/agents/list-agents.ts';
import { listMarkets } from '#api/routes/markets/venues.ts';
import { listTokenizedAssets } from '#api/routes/registry/list-assets.ts';
import { getAudit } from '#api/routes/status/get-audit.ts';
import { getStatus } from '#api/routes/status/get-status.ts';
import { computeShare, listTokenHolders } from '#api/routes/tokens/list-holders.ts';
import { ApiProblem } from '#api/terms/errors.ts';

const address = `0x${'90'.repeat(20)}`;
const index = { head: 7, headHash: '0x', chainHead: 7, lagBlocks: 0, complete: true, doubtedFrom: null };
const list = { nextCursor: null, hasMore: false, limit: 25, index };
const deps = { visitor: { charge: async () => true, caller: '' }, settings: { chainId: 1 } } as never;

/** A stub of a route: tests of routes check their replies. */
const reply = (route: object, body: object) => Object.assign(route, { handle: async () => body });

const ask = (path: string) => {
  const query = new URLSearchParams(path.split('?')[1]);
  return { params: { address }, query, url: path, now: 1_700_000_000, coin: 'FAT' };
};

async function show(
  page: { readonly path: string; readonly handle: (deps: never, request: never) => Promise<unknown> },
  query = '',
): Promise<string> {
  const view = (await page.handle(deps, ask(page.path + query) as never)) as PageView;
  return view.body.text;
}

test.serial('list of accounts says where it ends although more accounts hold the coin', async (t) => {
  const top = { ...list, items: [], snapshotBlock: 5, supply: null, known: '1', unaccounted: null };
  const shown = (accounts: number) => {
    reply(listTopAccounts, { ...top, accounts });
    return show(accountsPage);
  };
  t.regex(await shown(10_001), /10,001 accounts hold FAT\..*Only the 10,000 largest accounts are listed/);
  t.notRegex(await shown(10_000), /largest accounts/);
  t.regex(await shown(1), />1 account holds FAT\./);
  const block = { number: 3, timestamp: 1_700_000_000 };
  reply(getCoinSnapshot, { ...list, items: [], accounts: 1, held: '1', block, confirmedByNode: true });
  t.regex(await show(accountsPage, '?block=3'), />1 account held /);
});

test.serial('share of a holder that the API truncates to zero is small, not zero', async (t) => {
  const share = computeShare(1n, 10n ** 9n);
  t.is(share, '0.000000');
  t.is(formatShare({ share, balance: '1' }), '<0.0001%');
  t.is(formatShare({ share, balance: '0' }), '0.0000%');
  t.is(formatShare({ share: null, balance: '1' }), '–');
  t.is(formatShare({ share: '0.500000', balance: '1' }), '50.0000%');
  const row = { address, balance: '1', share };
  reply(listTokenHolders, { ...list, items: [row], holders: 1 });
  const render = await holdersView(deps, ask(`/token/${address}?tab=holders`), address);
  const token = { symbol: null, decimals: 0, standard: 'erc20', holders: 1, index } as unknown as Parameters<
    typeof render
  >[0];
  t.regex(render(token).text, /&lt;0\.0001%/);
  const top = { ...list, snapshotBlock: 5, supply: null, known: '1', unaccounted: null, accounts: 1 };
  reply(listTopAccounts, { ...top, items: [{ ...row, rank: 1 }] });
  t.regex(await show(accountsPage), /&lt;0\.0001%/);
});

test.serial('an asset without indexed transfers of its token leads to the address', async (t) => {
  const asset = { id: `0x${'1'.repeat(64)}`, label: 'House', kind: 'asset', category: null, address };
  const shown = (token: object | null) => {
    reply(listTokenizedAssets, { ...list, provenance: null, items: [{ ...asset, token }] });
    return show(assetsPage);
  };
  const token = { totalSupply: null, holders: 1, symbol: 'H', standard: 'erc20', decimals: 0 };
  t.regex(await shown(token), /href="\/token\/0x9090/);
  const without = await shown(null);
  t.regex(without, /href="\/address\/0x9090/);
  t.notRegex(without, /href="\/token\//);
});

test.serial('entity that an agent claims to be is no link, because any id can be claimed', async (t) => {
  const agent = { address, entity: `0x${'e'.repeat(64)}`, name: 'A', status: 'active', testimonies: 0, registered: 1 };
  reply(listAiAgents, { ...list, total: 1, source: address, items: [{ ...agent, lastTestimonyBlock: null }] });
  const shown = await show(agentsPage);
  t.true(shown.includes(`title="${agent.entity}"`));
  t.notRegex(shown, /href="\/entity/);
});

test.serial('page of an unknown entity says what an entity is', (t) => {
  for (const code of ['not_found', 'entity_not_found'] as const) {
    const { title, body } = problemView(new ApiProblem(code, 'no'), 'id', '/entity/0x1', entityPage);
    t.is(title, 'Entity not found');
    t.true((body as Html).text.includes('registry manifest'));
  }
});

test.serial('counts of one are singular', async (t) => {
  const canonical = {
    ...{ price: '1', median: '1', stale: false, index, lastTrade: null, pools: [], window: { seconds: 3_600 } },
    ...{ volume: { base: '1', quote: '1', trades: 1 }, leftOut: { outliers: 1 } },
  };
  const markets = { venues: [], centralised: { note: 'none' }, index };
  reply(listMarkets, { ...markets, canonical });
  const shown = await show(marketsPage);
  for (const text of ['over 1 hour<', 'in 1 trade<', '1 outlier excluded']) t.true(shown.includes(text), text);
  const many = { ...canonical, window: { seconds: 5_400 }, volume: { ...canonical.volume, trades: 2 } };
  reply(listMarkets, { ...markets, canonical: many });
  t.regex(await show(marketsPage), /over 1\.5 hours<.* in 2 trades</s);
  const status = {
    ...{ status: 'ok', headHash: null, head: 1, chainHead: 1, lagBlocks: 1, finalized: 1, alerts: [], rpc: [] },
    ...{ backfill: { percent: 100 }, indexed: { from: 0, to: 1 }, pipeline: { phase: 'follow', reason: null } },
    ...{ updatedAt: null, parkedBlocks: [], audit: { windows: 1, differences: 1 } },
  };
  reply(getStatus, status);
  reply(getAudit, { checks: [], passed: 0, failed: 0, unknown: 0 });
  t.regex(await show(statusPage), /1 block range in 24 hours, 1 difference</);
});
