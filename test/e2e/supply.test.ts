import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import test from 'ava';
import { AbiCoder, id, toBeHex, zeroPadValue } from 'ethers';
import { readKnownPrice, readPrice } from '#api/read/market/price.ts';
import { reconcile } from '#api/read/supply/reconcile.ts';
import type { ChainState } from '#sql/snapshot.ts';
import { type ModelBlock, readChainModel } from '#test/helpers/chain-model.ts';
import { modelSwaps } from '#test/helpers/chart-model.ts';
import { devSettings } from '#test/helpers/dev-settings.ts';
import { computeAveragePrice, computeEmission, decimal, getTotal, sum } from '#test/helpers/economy-model.ts';
import { deployEmitter } from '#test/helpers/event-emitter.ts';
import { type IndexedChain, startIndexedChain, waitForTokens } from '#test/helpers/indexed-chain.ts';
import { scratchFolder } from '#test/helpers/processes.ts';
import { headReader, startApi } from '#test/helpers/service.ts';
import { startNodeWithMethods } from '#test/helpers/x-node.ts';

const fat = 10n ** 18n;
let indexed: IndexedChain;
let blocks: ModelBlock[];
let dir: string;

test.before(async () => {
  indexed = await startIndexedChain({ blobs: true, blocks: 130, seed: 9 });
  await waitForTokens(indexed);
  blocks = indexed.blocks;
  dir = await scratchFolder('cordscan-supply');
});

test.after.always(async () => {
  await indexed?.stop();
  if (dir) await rm(dir, { recursive: true, force: true });
});

async function mine(timestamp?: number): Promise<void> {
  const { chain, pipeline } = indexed;
  await chain.rpc.call('evm_mine', timestamp === undefined ? [] : [{ timestamp }]);
  const { head } = await pipeline.caughtUp(headReader(chain));
  blocks = await readChainModel(chain.rpc, head);
}

const priceNow = async (query = '') => (await indexed.api.get(`/api/v1/nativefat/price${query}`)).body;

test.serial('4.2 the price is the average of the same swaps, with its pools and volume', async (t) => {
  const { economy, pair } = indexed.chain.world;
  const price = await priceNow();
  const byHand = computeAveragePrice(blocks, [pair, economy.pool]);
  t.true(byHand.near.length > 60 && new Set(byHand.near.map(({ pool }) => pool)).size === 2);
  t.is(price.price, decimal(byHand.quote * 10n ** 12n, byHand.base, 12));
  t.deepEqual(price.volume, {
    base: String(byHand.base),
    quote: decimal(byHand.quote, 10n ** 6n, 6),
    trades: byHand.near.length,
  });
  t.like(price, { quote: 'USD', source: 'dex_vwap', stale: false, blockNumber: indexed.head });
  for (const pool of price.pools) {
    const own = byHand.near.filter((swap) => swap.pool === pool.address);
    const [base, quote] = [sum(own.map((swap) => swap.base)), sum(own.map((swap) => swap.quote))];
    t.is(pool.price, decimal(quote * 10n ** 12n, base, 12));
    t.is(pool.weight, decimal(quote, byHand.quote, 6));
    const erc20 = indexed.chain.world.contracts.Token20.abi;
    const data = erc20.encodeFunctionData('balanceOf', [pool.address]);
    const held = await indexed.chain.rpc.call<string>('eth_call', [{ to: pool.token0, data }, 'latest']);
    t.is(pool.liquidity.base, BigInt(held).toString(), 'liquidity is what the node says the pool holds');
  }
  const compatible = (await indexed.api.get('/api?module=stats&action=ethprice')).body.result;
  t.like(compatible, { ethusd: price.price, ethusd_timestamp: String(price.lastTrade.timestamp), ethbtc: '' });
  t.is((await indexed.api.get('/api/v1/stats')).body.fatPriceUsd, price.price);
  const range = 'startdate=2020-01-01&enddate=2100-01-01';
  const days = (await indexed.api.get(`/api?module=stats&action=ethdailyprice&${range}`)).body.result;
  const charted = (await indexed.api.get('/api/v1/stats/charts/fatPrice?from=0')).body.points;
  t.deepEqual(
    days.map((day: { value: string }) => day.value),
    charted.flatMap(({ value }: { value: string | null }) => value ?? []),
  );
});

test.serial('4.2 the price ignores a manipulated swap, a forged pool or factory, and an empty pool', async (t) => {
  const { chain } = indexed;
  const { economy, contracts, wfat, usdx, pair, accounts } = chain.world;
  const before = await priceNow();
  const from = economy.traders[0]!;
  const send = (name: 'Token20' | 'Pool' | 'PoolFactory', to: string, method: string, args: unknown[]) =>
    chain.rpc.call('eth_sendTransaction', [
      { from, to, gas: '0x4c4b40', data: contracts[name].abi.encodeFunctionData(method, args) },
    ]);
  await send('Token20', usdx, 'mint', [from, 10n ** 12n]);
  await send('Pool', economy.pool, 'swapExactIn', [wfat > usdx, 60_000n * 10n ** 6n, from]);
  await send('PoolFactory', economy.poolFactory, 'createPool', [wfat, usdx, 100]);
  const [factory, pool] = [
    await deployEmitter(chain.rpc, accounts[20]!, 4),
    await deployEmitter(chain.rpc, accounts[20]!, 3),
  ];
  const word = (value: string) => zeroPadValue(value, 32);
  const coder = AbiCoder.defaultAbiCoder();
  await factory.emit({
    topics: [id('PoolCreated(address,address,uint24,int24,address)'), word(wfat), word(usdx), word('0x01')],
    data: coder.encode(['int24', 'address'], [10, pool.address]),
  });
  const amounts = [-1n, 10n ** 20n, 1n, 1n, 1n];
  await pool.emit({
    topics: [id('Swap(address,address,int256,int256,uint160,uint128,int24)'), word(from), word(from)],
    data: coder.encode(['int256', 'int256', 'uint160', 'uint128', 'int24'], amounts),
  });
  await mine();
  t.true(
    modelSwaps(blocks).some((swap) => swap.pool === pool.address),
    'the made-up swap is on the chain',
  );
  const after = await priceNow();
  const byHand = computeAveragePrice(blocks, [pair, economy.pool]);
  t.true(byHand.left >= 1, 'the manipulated swap is far from the median');
  t.is(after.leftOut.outliers, byHand.left);
  t.is(after.price, decimal(byHand.quote * 10n ** 12n, byHand.base, 12));
  t.true(Math.abs(Number(after.price) / Number(before.price) - 1) < 0.001, `${before.price} -> ${after.price}`);
  t.is(after.pools.length, 3);
  t.is(after.pools.filter((each: { refusal: string }) => each.refusal === 'liquidity_too_low').length, 1);
  t.false(after.pools.some((each: { address: string }) => each.address === pool.address));
});

const migrated = 'Migrated(bytes32,uint256,address,uint256,bytes32)';

test.serial('4.8 every component of the supply equals a recount, in text and JSON', async (t) => {
  const { api, chain } = indexed;
  const { bridge, legacyTokens } = chain.world.economy;
  const { body } = await api.get('/api/v1/supply/reconciliation');
  const head = blocks.at(-1)!;
  t.like(body, { asOfBlock: head.number, asOfBlockHash: head.hash, timestamp: head.time, alerts: [] });
  const emitted = computeEmission(head.time - blocks[0]!.time);
  const burned = sum(blocks.map((block) => block.burned));
  t.is(body.emitted.amount.wei, String(emitted));
  t.is(body.feesBurned.amount.wei, String(burned));
  const total = 10_000_000_000n * fat + emitted - burned;
  t.is(body.total.wei, String(total));
  t.is(body.total.fat, decimal(total, fat, 18));
  const balances = await chain.rpc.batch<string>(
    body.excluded.map(({ address }: { address: string }) => ({
      method: 'eth_getBalance',
      params: [address, 'latest'],
    })),
  );
  t.is(body.circulating.wei, String(total - sum(balances.map(BigInt))));
  t.is(body.emission.schedule.asymptoticSupply.fat, '14000000000');
  t.is(body.emission.publishedMaximum.fat, '18000000000');
  const minted = getTotal(blocks, bridge, migrated);
  const burns = legacyTokens.map((token) => getTotal(blocks, token, 'Burned(bytes32,address,uint256)'));
  t.true(minted > 0n && burns.every((burn) => burn > 0n));
  t.like(body.migration, { invariantHolds: true, state: 'holds' });
  t.deepEqual([body.migration.burned1.wei, body.migration.burned2.wei], burns.map(String));
  t.is(body.migration.totalMigrated.wei, String(minted));
  for (const which of ['total', 'circulating']) {
    const text = await api.get(`/api/v1/supply/${which}`);
    t.is(text.headers.get('content-type'), 'text/plain; charset=utf-8');
    t.is(text.headers.get('x-as-of-block'), String(body.asOfBlock));
    t.regex(text.body, /^\d+(\.\d+)?$/);
    t.is(text.body, body[which].fat);
  }
  const stats = async (action: string) => (await api.get(`/api?module=stats&action=${action}`)).body.result;
  const { headers } = await api.get('/api?module=stats&action=coinsupply');
  t.is(headers.get('x-as-of-block'), String(body.asOfBlock));
  t.is(await stats('ethsupply'), body.total.wei);
  t.is(await stats('coinsupply'), body.circulating.fat);
  const parts = await stats('ethsupply2');
  t.like(parts, { EthSupply: String(BigInt(body.total.wei) + BigInt(burned)), BurntFees: String(burned) });
});

async function reconciled(change: (supply: ReturnType<typeof devSettings>['supply']) => object) {
  const { chain, pipeline } = indexed;
  const { supply } = devSettings(chain.rpc.url);
  const settings = { supply: { ...supply, ...change(supply) } };
  const api = await startApi(pipeline.deps.database, [chain.rpc.url], false, settings);
  const { body } = await api.get('/api/v1/supply/reconciliation');
  const status = (await api.get('/api/v1/status')).body;
  await api.stop();
  return { ...body.migration, alerts: body.alerts as string[], status };
}

test.serial('1.7 a nullifier that mints twice breaks the invariant, and the status reports it', async (t) => {
  const { chain } = indexed;
  const { address, emit } = await deployEmitter(chain.rpc, chain.world.accounts[21]!, 4);
  const mints = blocks.flatMap((block) => block.logs).filter((log) => log.topics[0] === id(migrated));
  for (const log of mints) await emit(log);
  await mine();
  const sound = await reconciled(() => ({ bridge: address }));
  t.like(sound, { invariantHolds: true, state: 'holds', alerts: [] });
  t.is(sound.status.status, 'ok');
  await emit(mints[0]!);
  await mine();
  const broken = await reconciled(() => ({ bridge: address }));
  t.like(broken, { invariantHolds: false, state: 'broken', nullifiers: { holds: false } });
  const excess = { wei: String(BigInt(mints[0]!.data.slice(0, 66))) };
  t.like(broken.nullifiers.repeated[0], { nullifier: mints[0]!.topics[1], mints: 2, excess });
  t.is(broken.alerts.length, 2, 'more minted than burned, and a nullifier that minted twice');
  t.like(broken.status, { status: 'degraded', supply: { state: 'broken' } });
  t.is(broken.status.alerts.length, 2);
});

test.serial('1.7 a wrong, silent or missing burned total is shown as such', async (t) => {
  const { legacyTokens } = indexed.chain.world.economy;
  const burned = getTotal(blocks, legacyTokens[0], 'Burned(bytes32,address,uint256)');
  const document = async (text: string) => {
    const path = join(dir, `${id(text)}.json`);
    await writeFile(path, text);
    const url = pathToFileURL(path).href;
    return reconciled(({ origins }) => ({ origins: [{ url, token: undefined }, origins[1]] }));
  };
  const right = await document(JSON.stringify({ burned: String(burned), asOf: '2026-01-01', block: 5 }));
  t.like(right, { invariantHolds: true, state: 'holds' });
  t.like(right.origins[0].source, { kind: 'document', asOf: '2026-01-01', block: 5, fault: null });
  t.like(await document(JSON.stringify({ burned: String(burned - 1n) })), { invariantHolds: false, state: 'broken' });
  const more = await document(JSON.stringify({ burned: String(burned + 1n) }));
  t.like(more, { invariantHolds: false, state: 'burns_pending', alerts: [] });
  t.is(more.origins[0].difference.wei, '1');
  for (const text of ['{', '{}', '{"burned":1}', '{"burned":"-1"}', `{"burned":"${10n ** 78n - 1n}"}`]) {
    const faulty = await document(text);
    t.like(faulty, { invariantHolds: null, state: 'unknown', burned1: null }, text);
    t.is(faulty.origins[0].source.fault, 'unreadable');
  }
  const silent = await reconciled(({ origins }) => ({
    origins: [{ url: 'http://127.0.0.1:9/', token: legacyTokens[0] }, origins[1]],
  }));
  t.is(silent.origins[0].source.fault, 'unreachable');
  const absent = await reconciled(() => ({ origins: [undefined, undefined] }));
  t.like(absent, { invariantHolds: null, state: 'unknown' });
});

test.serial('1.7 rewards and migrated amounts count as configured', async (t) => {
  const { chain, pipeline } = indexed;
  const { address, emit } = await deployEmitter(chain.rpc, chain.world.accounts[22]!, 2);
  const producer = zeroPadValue(address, 32);
  for (const reward of [7n * fat, 5n, 1n])
    await emit({ topics: [id('RewardMinted(address,uint256)'), producer], data: toBeHex(reward, 32) });
  await mine();
  const { supply } = devSettings(chain.rpc.url);
  const settings = { supply: { ...supply, rewardContract: address, isMigratedOnTop: true, areFeesBurned: false } };
  const api = await startApi(pipeline.deps.database, [chain.rpc.url], false, settings);
  const { body } = await api.get('/api/v1/supply/reconciliation');
  await api.stop();
  t.like(body.emitted, { source: 'rewards', amount: { wei: String(7n * fat + 6n) } });
  t.is(
    body.total.wei,
    String(10_000_000_000n * fat + 7n * fat + 6n + getTotal(blocks, chain.world.economy.bridge, migrated)),
  );
  t.is(body.formula.total, 'genesis + emitted + totalMigrated');
  t.is(BigInt(body.emission.rewards.difference.wei), 7n * fat + 6n - BigInt(body.emission.schedule.emitted.wei));
});

test.serial('1.7 the node’s emission counts only for its own block', async (t) => {
  const { chain, pipeline } = indexed;
  const { supply } = devSettings(chain.rpc.url);
  const told = 12_345n * fat + 7n;
  let reply: object = { emitted: String(told), blockHash: blocks.at(-1)!.hash };
  const node = await startNodeWithMethods(chain.rpc.url, { x_getEmission: () => reply });
  t.teardown(() => node.stop());
  const look = async () => {
    const api = await node.api(pipeline.deps.database, { supply: { ...supply, emissionMethod: 'x_getEmission' } });
    return api.get('/api/v1/supply/reconciliation');
  };
  const { body } = await look();
  t.like(body.emission.rewards, { count: null, contract: null, method: 'x_getEmission' });
  t.is(BigInt(body.emission.rewards.difference.wei), told - BigInt(body.emission.schedule.emitted.wei));
  t.is(body.total.wei, String(10_000_000_000n * fat + told - BigInt(body.feesBurned.amount.wei)));
  for (const wrong of [
    { blockHash: blocks[3]!.hash },
    { emitted: 5 },
    { emitted: '-1' },
    { emitted: '9'.repeat(78) },
  ]) {
    reply = { emitted: String(told), blockHash: blocks.at(-1)!.hash, ...wrong };
    t.like(await look(), { status: 503, body: { code: 'node_unavailable' } }, JSON.stringify(wrong));
  }
});

test.serial('4.8 the supply is not reported while blocks are missing', async (t) => {
  const { deps } = indexed.api;
  const state = (await deps.snapshots.current())!;
  for (const change of [{ startBlock: 1 }, { quarantined: [7] }, { backfilledBefore: 50, followFrom: 60 }]) {
    const snapshots = { run: <T>(read: (seen: ChainState) => Promise<T>) => read({ ...state, ...change }) };
    const partial = { ...deps, snapshots: snapshots as typeof deps.snapshots };
    await t.throwsAsync(reconcile(partial), { message: /^indexing: / }, JSON.stringify(change));
  }
});

test.serial('4.2 the price is unknown without the blocks in which pools got their reserves', async (t) => {
  const { deps } = indexed.api;
  const late = { ...(await deps.snapshots.current())!, startBlock: 1 };
  await t.throwsAsync(readPrice(deps, late, 3_601), { message: /blocks before block 1 .* prices, are unknown/ });
  t.is(await readKnownPrice(deps, late), undefined);
});

test.serial('4.2 the price is null, never 0, without a trade in the window', async (t) => {
  await mine(blocks.at(-1)!.time + 7_200);
  const [hour, day] = [await priceNow('?window=3600'), await priceNow()];
  t.like(hour, { price: null, stale: true, lastTrade: null, volume: { base: '0', quote: '0', trades: 0 } });
  t.deepEqual([day.stale, typeof day.price], [true, 'string'], 'the last trade is two hours old');
  t.regex((await indexed.api.get('/api?module=stats&action=ethprice')).body.result, /The price is too old/);
  for (const window of ['0', '59', '1e9', '99999999', 'x'])
    t.is((await indexed.api.get(`/api/v1/nativefat/price?window=${window}`)).status, 400);
});
