import { join } from 'node:path';
import test from 'ava';
import { AbiCoder, id, toBeHex, zeroPadValue } from 'ethers';
import { dollars } from '#api/pages/parts/number.ts';
import { FewHoldings } from '#api/read/accounts/few-holdings.ts';
import { readBalances, readNfts } from '#api/read/accounts/holdings.ts';
import { firstPlace, HolderReader } from '#api/read/tokens/holder-reader.ts';
import { heldAs, TokenLedger } from '#api/read/tokens/token-ledger.ts';
import { TokenStandards } from '#api/read/tokens/token-standards.ts';
import { RecentHistory } from '#api/tail/recent-history.ts';
import { clampBalance, combineSumParts } from '#chain/codec/wide-sum.ts';
import { rollupWindowBlocks } from '#sql/chain-tables.ts';
import { loadStatements } from '#sql/compile/statements.ts';
import { finalizedPart, readChainState } from '#sql/snapshot.ts';
import { deployEmitter, deployMixedEmitter } from '#test/helpers/event-emitter.ts';
import { type IndexedChain, startIndexedChain, waitForTokens } from '#test/helpers/indexed-chain.ts';
import { readPage } from '#test/helpers/page-reader.ts';
import { waitFor } from '#test/helpers/processes.ts';
import { headReader } from '#test/helpers/service.ts';

const most = 2n ** 256n - 1n;
const half = 2n ** 255n;
const zero = `0x${'0'.repeat(40)}`;
const [ann, bob, eve, zoe] = ['a1', 'b2', 'e5', 'f6'].map((byte) => `0x${byte.repeat(20)}`) as [
  string,
  string,
  string,
  string,
];

let indexed: IndexedChain;
let huge: string;
let mixed: string;

const word = (value: bigint | string) => (typeof value === 'string' ? zeroPadValue(value, 32) : toBeHex(value, 32));
const transfer = id('Transfer(address,address,uint256)');
const single = id('TransferSingle(address,address,address,uint256,uint256)');
const plain = (from: string, to: string, value: bigint) => ({
  topics: [transfer, word(from), word(to)],
  data: word(value),
});
const nft = (from: string, to: string, tokenId: bigint) => ({
  topics: [transfer, word(from), word(to), word(tokenId)],
  data: '0x',
});
const multi = (from: string, to: string, tokenId: bigint, value: bigint) => ({
  topics: [single, word(ann), word(from), word(to)],
  data: AbiCoder.defaultAbiCoder().encode(['uint256', 'uint256'], [tokenId, value]),
});

test.before(async () => {
  indexed = await startIndexedChain({ blocks: 60, seed: 9 });
  await waitForTokens(indexed);
  const { rpc, world } = indexed.chain;
  const from = world.accounts[20]!;
  const [large, both] = [await deployEmitter(rpc, from, 3), await deployMixedEmitter(rpc, from)];
  [huge, mixed] = [large.address, both.address];
  const events = [plain(zero, ann, half + 5n), plain(ann, bob, half), plain(zero, eve, most), plain(zero, eve, most)];
  for (const event of [...events, plain(zoe, bob, 7n)]) await large.emit(event);
  const others = [nft(zero, ann, 7n), nft(zero, bob, 9n), multi(zero, zoe, 7n, 3n), plain(ann, bob, 40n)];
  for (const event of [plain(zero, ann, 100n), ...others]) await both.emit(event);
  await mine();
});

test.after.always(() => indexed?.stop());

async function mine(): Promise<void> {
  const { chain, pipeline } = indexed;
  await chain.rpc.call('evm_mine', []);
  await pipeline.caughtUp(headReader(chain));
}

const get = async (path: string) => (await indexed.api.get(`/api/v1${path}`)).body;
const readHolders = async (token: string, standard?: string) => {
  const { items, ...rest } = await get(`/tokens/${token}/holders${standard ? `?standard=${standard}` : ''}`);
  const balances = Object.fromEntries(
    items.map((row: { address: string; balance: string }) => [row.address, row.balance]),
  );
  return { balances, count: rest.holders, heldTotal: rest.reconciliation.heldTotal };
};

const hugeHolders = {
  balances: { [eve]: String(most), [bob]: String(half + 7n), [ann]: '5' },
  count: 3,
  heldTotal: String(half + 12n + most),
};

test.serial('D19: balances from 2^255 on stay positive, and a total beyond 256 bits is exact', async (t) => {
  t.deepEqual(await readHolders(huge), hugeHolders);
  t.deepEqual(
    (await get(`/tokens?q=&limit=100`)).items.find((row: { address: string }) => row.address === huge)?.holders,
    3,
  );
  const tokens = async (who: string) =>
    (await get(`/accounts/${who}/tokens?zero=true`)).items
      .filter(({ token }: { token: string }) => token === huge)
      .map(({ balance }: { balance: string }) => balance);
  t.deepEqual(await Promise.all([ann, bob, eve, zoe].map(tokens)), [['5'], [String(half + 7n)], [String(most)], ['0']]);
  for (const sum of [
    0n,
    1n,
    -1n,
    half,
    -half,
    most,
    most + 1n,
    -most,
    3n * most,
    2n ** 128n,
    -(2n ** 128n),
    2n ** 384n,
  ])
    t.is(combineSumParts(String(BigInt.asIntN(256, sum)), String(sum >> 128n)), sum);
  t.deepEqual([-5n, 5n, most, most + 1n].map(clampBalance), [0n, 5n, most, most]);
});

const mixedHolders = {
  erc20: { balances: { [ann]: '60', [bob]: '40' }, count: 2, heldTotal: '100' },
  erc721: { balances: { [ann]: '1', [bob]: '1' }, count: 2, heldTotal: '2' },
  erc1155: { balances: { [zoe]: '3' }, count: 1, heldTotal: '3' },
};

test.serial('D21: units and ids of a mixed-standard contract are never added up', async (t) => {
  for (const [standard, holders] of Object.entries(mixedHolders))
    t.deepEqual(await readHolders(mixed, standard), holders);
  t.like(await get(`/tokens/${mixed}`), { standard: 'erc20', holders: 2, transfers: 5 });
  t.deepEqual(await readHolders(mixed), mixedHolders.erc20);
  const nfts = async (query: string) =>
    (await get(`/nfts/${mixed}/tokens${query}`)).items.map((row: Record<string, string>) => [
      row.tokenId,
      row.owner,
      row.amount,
    ]);
  t.deepEqual(await nfts(''), [
    ['7', ann, '1'],
    ['9', bob, '1'],
  ]);
  t.deepEqual(await nfts('?tokenId=9'), [['9', bob, '1']]);
  t.deepEqual(await nfts('?standard=erc1155'), [['7', zoe, '3']]);
  t.is((await get(`/nfts/${mixed}/tokens/9`)).standard, 'erc721');
  t.is((await get(`/nfts/${mixed}/tokens/007`)).tokenId, '7');
  const [held] = (await get(`/accounts/${ann}/tokens`)).items.filter(({ token }: { token: string }) => token === mixed);
  t.is(held.balance, '60');
  const owned = (await get(`/accounts/${ann}/nfts`)).items;
  t.deepEqual(
    owned.map((row: Record<string, string>) => [row.contract, row.tokenId]),
    [[mixed, '7']],
  );
  const { status, body } = await indexed.api.get(`/api/v1/tokens/${huge}/holders?standard=erc721`);
  t.is(status, 404, JSON.stringify(body));
});

test.serial('D19, D21: the same figures follow from closed rollup windows, in SQL and in code', async (t) => {
  const { database } = indexed.pipeline.deps;
  const { head } = (await readChainState(database))!;
  for (let i = 0; i < 32 + 16; i++) await indexed.chain.rpc.call('evm_mine', []);
  await mine();
  const isFinal = async () => (await readChainState(database))!.finalized >= head;
  await waitFor(isFinal, 30_000, 'the transfers are final');
  const last = (await readChainState(database))!;
  const { finalized } = finalizedPart(last);
  const bounds = { from_block: 0, to_block: finalized, era_blocks: rollupWindowBlocks };
  const closers = [
    'close_token_balances',
    'close_token_counters',
    'close_holder_ranks',
    'close_holder_counts',
  ] as const;
  for (const name of closers) await database.execute(name, bounds);
  const closed = { ...finalizedPart(last), version: last.version + 1, rollupThrough: rollupWindowBlocks };
  const ledger = new TokenLedger(database, new RecentHistory(database));
  const reader = new HolderReader(database, ledger);
  const told = async (token: string, code: number) => {
    const { holders: count, heldTotal } = heldAs((await ledger.of(closed, token))!, code);
    const rows = await reader.read(closed, { token, code }, firstPlace, 10);
    const balances = Object.fromEntries(rows.map(({ address, balance }) => [address, String(balance)]));
    return { balances, count, heldTotal: String(heldTotal) };
  };
  t.deepEqual(await told(huge, 1), hugeHolders);
  t.deepEqual([await told(mixed, 1), await told(mixed, 2), await told(mixed, 3)], Object.values(mixedHolders));
  const parts = { database, tokenStandards: new TokenStandards(database) };
  for (const most of [2_000, 0]) {
    const deps = { ...parts, fewHoldings: new FewHoldings(database, most) };
    const held = await readBalances(deps, closed, ann, { withZero: true, after: '', limit: 10 });
    t.deepEqual(Object.fromEntries(held.map((row) => [row.token_hex, row.amount])), { [huge]: '5', [mixed]: '60' });
    const owned = await readNfts(deps, closed, ann, { standard: 'erc721', after: { token: '', id: '0' }, limit: 10 });
    t.deepEqual(
      owned.map((row) => [row.token_hex, row.id]),
      [[mixed, '7']],
    );
  }
  const checks = loadStatements(join(import.meta.dirname, '../../sql/checks'));
  const asked = { ...bounds, era_through: rollupWindowBlocks };
  for (const name of ['rollup_token_balance_eras', 'rollup_token_balance_eras_by_holder', 'rollup_token_holder_ranks'])
    t.deepEqual(await database.read(checks.get(name)!, asked), [], name);
});

test.serial('pages show amounts in dollars at the price of the API, and tokens with their value', async (t) => {
  const { price, stale } = await get('/nativefat/price');
  t.false(stale);
  const { items } = await get('/accounts/top?limit=3');
  const { text } = await readPage(indexed.api, '/accounts');
  for (const { balance } of items) t.true(text.includes(` ${dollars((Number(balance) / 1e18) * Number(price))} `));
  const { dollars: stablecoins, wrapped } = indexed.api.deps.settings.price;
  const of = async (token: string) => {
    const [{ address, balance }] = (await get(`/tokens/${token}/holders?limit=1`)).items;
    const tokens = await readPage(indexed.api, `/address/${address}?tab=tokens&limit=100`);
    return { balance: BigInt(balance), text: tokens.text };
  };
  const [stable, coin] = [await of(stablecoins[0]!), await of(wrapped!)];
  const { decimals } = await get(`/tokens/${stablecoins[0]}`);
  t.true(stable.text.includes(` ${dollars(Number(stable.balance) / 10 ** decimals)} `));
  t.true(coin.text.includes(` ${dollars((Number(coin.balance) / 1e18) * Number(price))} `));
});

test.serial(
  'D18: a trade counts by its pool’s balance at that time, so later changes don’t alter past prices',
  async (t) => {
    const { chain } = indexed;
    const { economy, contracts, wfat, usdx } = chain.world;
    const [fat, usd] = [10n ** 18n, 10n ** 6n];
    const from = economy.traders[0]!;
    const send = (
      name: 'Token20' | 'WrappedFat' | 'Pool' | 'PoolFactory',
      to: string,
      method: string,
      args: unknown[],
      value = 0n,
      sender = from,
    ) =>
      chain.rpc.call('eth_sendTransaction', [
        {
          from: sender,
          to,
          gas: '0x4c4b40',
          value: `0x${value.toString(16)}`,
          data: contracts[name].abi.encodeFunctionData(method, args),
        },
      ]);
    const price = () => get('/nativefat/price?window=31622400');
    const charted = async () => (await get('/stats/charts/fatPrice?from=0&resolution=hour')).points;
    const poolNow = async (address: string) =>
      (await price()).pools.find((each: { address: string }) => each.address === address);
    const [before, chartBefore] = [await price(), await charted()];
    t.true(before.volume.trades > 5);

    await send('PoolFactory', economy.poolFactory, 'createPool', [wfat, usdx, 100]);
    await mine();
    const known = new Set(before.pools.map(({ address }: { address: string }) => address));
    const thin = (await price()).pools.find(({ address }: { address: string }) => !known.has(address)).address;
    await send('WrappedFat', wfat, 'deposit', [], 5_000n * fat);
    await send('Token20', usdx, 'mint', [from, 10_000n * usd]);
    for (const token of [wfat, usdx]) await send('Token20', token, 'approve', [thin, most]);
    const liquidity = (coins: bigint) =>
      wfat < usdx ? [coins * fat, 2n * coins * usd] : [2n * coins * usd, coins * fat];
    await send('Pool', thin, 'addLiquidity', liquidity(300n));
    await mine();
    await send('Pool', thin, 'swapExactIn', [wfat > usdx, 5n * usd, from]);
    await mine();
    t.like(await poolNow(thin), { counted: false, refusal: 'liquidity_too_low', trades: 0, illiquid: 1 });
    await send('Pool', thin, 'addLiquidity', liquidity(2_000n));
    await mine();
    t.like(
      await poolNow(thin),
      { counted: true, refusal: null, trades: 0, illiquid: 1 },
      'funding it makes no old trade count',
    );
    t.is((await price()).price, before.price);
    await send('Pool', thin, 'swapExactIn', [wfat > usdx, 5n * usd, from]);
    await mine();
    t.like(await poolNow(thin), { trades: 1, illiquid: 1 });
    const [funded, chartFunded] = [await price(), await charted()];
    t.deepEqual(chartFunded.slice(0, chartBefore.length - 1), chartBefore.slice(0, -1));

    for (const { address } of before.pools) {
      await chain.rpc.call('anvil_impersonateAccount', [address]);
      await chain.rpc.call('anvil_setBalance', [address, toBeHex(fat)]);
      const data = contracts.Token20.abi.encodeFunctionData('balanceOf', [address]);
      const held = BigInt(await chain.rpc.call<string>('eth_call', [{ to: usdx, data }, 'latest']));
      await send('Token20', usdx, 'transfer', [from, held], 0n, address);
    }
    await mine();
    const drained = await price();
    for (const { address } of before.pools) {
      t.like(
        drained.pools.find((each: { address: string }) => each.address === address),
        { counted: true, refusal: 'liquidity_too_low' },
      );
    }
    t.deepEqual([drained.price, drained.volume], [funded.price, funded.volume]);
    t.deepEqual(await charted(), chartFunded);
  },
);
