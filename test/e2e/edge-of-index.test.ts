/** The node is ahead of the index: the API must not report missing data for blocks that are not indexed yet. */
import test from 'ava';
import { getCreateAddress } from 'ethers';
import type { DevChain } from '#devchain/devchain.ts';
import { Random } from '#devchain/random.ts';
import { ChainStateStore } from '#pipeline/store/chain-state-store.ts';
import { pause } from '#runtime/shutdown.ts';
import { type FaultyProxy, startFaultyProxy } from '#test/helpers/faulty-proxy.ts';
import {
  chainId,
  headReader,
  type RunningApi,
  startApi,
  startDevChain,
  startPipeline,
  startTestEngine,
  type TestEngine,
} from '#test/helpers/service.ts';

const [blocks, mined] = [60, 6];

let engine: TestEngine;
let chain: DevChain;
let proxy: FaultyProxy;
let api: RunningApi;
let store: ChainStateStore;
// biome-ignore lint/suspicious/noExplicitAny: the node's own shape
let ahead: any[];

test.before(async () => {
  [engine, chain] = await Promise.all([startTestEngine(), startDevChain({ blocks })]);
  const budget = Number.POSITIVE_INFINITY;
  proxy = await startFaultyProxy({ target: chain.rpc.url, random: new Random(1), fault: null, share: 1, budget });
  const database = await engine.open('edge_of_index');
  const pipeline = startPipeline({ database, urls: [chain.rpc.url] });
  await pipeline.caughtUp(headReader(chain));
  await pipeline.stop();
  store = new ChainStateStore(pipeline.deps);
  await store.load();
  await chain.mineLive(mined);
  api = await startApi(database, [proxy.url]);
  const found = await Promise.all(
    Array.from({ length: mined }, (_, i) =>
      // biome-ignore lint/suspicious/noExplicitAny: the node's own shape
      chain.rpc.call<any>('eth_getBlockByNumber', [`0x${(blocks + 1 + i).toString(16)}`, true]),
    ),
  );
  ahead = found.flatMap(({ transactions }) => transactions);
});

test.after.always(async () => {
  await api?.stop();
  await proxy?.stop();
  await chain?.stop();
  await engine?.stop();
});

async function ask(query: string) {
  const { body, headers } = await api.get(`/api?${query}`);
  return { ...body, index: headers.get('x-index-head'), chain: headers.get('x-chain-head') };
}

test.serial('A1: every list of /api rejects block numbers above the index', async (t) => {
  t.true(ahead.length > 0);
  const { from, to } = ahead.find((one) => one.to !== null && one.value !== '0x0');
  const block = blocks + 1;
  for (const query of [
    `module=account&action=txlist&address=${to}&startblock=${block}&endblock=${block + 1}`,
    `module=account&action=txlist&address=${from}&startblock=${block}&endblock=99999999`,
    `module=account&action=txlist&address=${from}&startblock=1&endblock=${block}`,
    `module=account&action=tokentx&address=${from}&startblock=${block}&endblock=${block}`,
    `module=account&action=tokennfttx&address=${from}&startblock=${block}&endblock=${block}`,
    `module=logs&action=getLogs&address=${to}&fromBlock=${block}&toBlock=${block}`,
    `module=block&action=getblockreward&blockno=${block}`,
    `module=block&action=getblocktxnscount&blockno=${block}`,
    `module=account&action=getminedblocks&address=${from}&startblock=${block}`,
    `module=block&action=getblocknobytime&timestamp=${Math.floor(Date.now() / 1000) + 9}&closest=before`,
  ]) {
    const { status, message, result, ...heads } = await ask(query);
    t.deepEqual([status, message], ['0', 'NOTOK'], query);
    t.regex(result, /blocks? \d+.*not indexed yet; the index reaches block 60/i, query);
    t.deepEqual(heads, { index: String(blocks), chain: String(blocks + mined) }, query);
  }
});

test.serial('A1: a list with an open end stops at the index and reports its height', async (t) => {
  const account = chain.world.accounts[3]!;
  for (const end of ['', '&endblock=99999999', '&endblock=latest']) {
    const { status, result, index, ...heads } = await ask(`module=account&action=txlist&address=${account}${end}`);
    t.is(status, '1', end);
    t.true(result.every((row: { blockNumber: string }) => Number(row.blockNumber) <= blocks));
    t.deepEqual([index, heads.chain], [String(blocks), String(blocks + mined)], end);
  }
  const nobody = `0x${'12'.repeat(20)}`;
  for (const query of [`account&action=txlist&address=${nobody}`, `token&action=tokeninfo&contractaddress=${nobody}`])
    t.regex((await ask(`module=${query}`)).result, /The index is at block 60, and the chain at block 66/, query);
  const beyond = await ask(`module=account&action=txlist&address=${account}&startblock=${blocks + mined + 1}`);
  t.is(beyond.message, 'No transactions found', 'no node has that block either');
  const balance = await ask(`module=account&action=balance&address=${account}`);
  t.is(balance.index, String(blocks), 'live answers carry both heads too');
});

test.serial('A1: a transaction that is not indexed yet is neither absent nor successful', async (t) => {
  const { hash } = ahead[0];
  for (const query of [
    `module=transaction&action=getstatus&txhash=${hash}`,
    `module=transaction&action=gettxreceiptstatus&txhash=${hash}`,
    `module=transaction&action=gettxinfo&txhash=${hash}`,
    `module=account&action=txlistinternal&txhash=${hash}`,
  ]) {
    const { status, result } = await ask(query);
    t.is(status, '0', query);
    t.regex(result, /is in block 6\d, which is not indexed here yet/, query);
  }
  const rest = await api.get(`/api/v1/transactions/${hash}`);
  t.deepEqual([rest.status, rest.body.code], [503, 'indexing']);
});

test.serial('A2: a window above the index is not proven empty', async (t) => {
  const nobody = `0x${'12'.repeat(20)}`;
  const read = async (query: string) => (await api.get(`/api/v1/accounts/${nobody}/transactions${query}`)).body;
  const above = await read(`?from=${blocks + 1}&to=${blocks + 3}`);
  t.is(above.source, 'addr-index');
  t.like(above.coverage, { complete: false, to: blocks + 3, gaps: [{ from: blocks + 1, to: blocks + 3 }] });
  const open = await read('');
  t.is(open.source, 'addr-index', 'the node is ahead');
  t.like(open.coverage, { complete: false, from: 0, to: blocks + mined });
  const far = await read('?to=9000000000');
  t.is(far.coverage.to, blocks + mined, 'never above the chain');
  const closed = await read(`?from=0&to=${blocks}`);
  t.is(closed.source, 'addr-index-empty');
  t.like(closed.coverage, { complete: true, to: blocks, gaps: [] });
});

test.serial('A2: a window within the lag tolerance is not proven empty', async (t) => {
  const tolerance = api.deps.settings.freshnessToleranceBlocks;
  t.true(tolerance >= 3);
  const near = `/api/v1/accounts/0x${'12'.repeat(20)}/transactions?from=${blocks}&to=${blocks + 1}`;
  const { coverage, source } = (await api.get(near)).body;
  t.deepEqual([coverage.complete, source], [false, 'addr-index']);
  t.deepEqual(coverage.gaps, [{ from: blocks + 1, to: blocks + 1 }]);
});

test.serial('A2: an export certificate names the blocks that it lacks', async (t) => {
  const finalized = store.state.finalized;
  const certificate = async (query: string) => (await api.get(`/api/v1/export/transactions/certificate?${query}`)).body;
  t.like(await certificate(`fromBlock=1&toBlock=${blocks + 2}`), {
    toBlock: finalized,
    complete: false,
    unfinalized: { from: finalized + 1, to: blocks + 2 },
  });
  t.like(await certificate(`fromBlock=1&toBlock=${finalized}`), { complete: true, unfinalized: null });
});

test.serial('A3: every route rejects an account id of another chain', async (t) => {
  const account = chain.world.accounts[3]!;
  for (const path of [
    `/accounts/eip155:1:${account}`,
    `/accounts/eip155:1:${account}/transactions`,
    `/deposits/verdict?tx=0x${'ab'.repeat(32)}&to=eip155:1:${account}`,
    `/tokentxns?address=eip155:5:${account}`,
    `/search?q=eip155:1:${account}`,
  ]) {
    const { status, body } = await api.get(`/api/v1${path}`);
    t.is(status, 400, path);
    t.regex(body.detail, new RegExp(`chain eip155:\\d, but this service indexes eip155:${chainId}`), path);
  }
  t.is((await api.get(`/api/v1/accounts/eip155:${chainId}:${account}`)).body.address, account);
  const compatible = await ask(`module=account&action=txlist&address=eip155:1:${account}`);
  t.is(compatible.result, 'Error! Invalid address format');
});

test.serial('A4: a deep transaction is creditable only if it moved coins to another account', async (t) => {
  const seen = { moved: false, empty: false, failed: false };
  for (let number = 1; number <= blocks - 20; number++) {
    // biome-ignore lint/suspicious/noExplicitAny: the node's own shape
    const block = await chain.rpc.call<any>('eth_getBlockByNumber', [`0x${number.toString(16)}`, false]);
    for (const hash of block.transactions.slice(0, 2)) {
      const { body } = await api.get(`/api/v1/transactions/${hash}`);
      const moves = body.status === 1 && body.value !== '0' && body.to !== null && body.to !== body.from;
      t.true(body.confirmed, hash);
      t.is(body.creditable, moves, hash);
      seen[moves ? 'moved' : body.status === 0 ? 'failed' : 'empty'] = true;
    }
  }
  t.true(seen.moved && seen.empty);
});

test.serial('A6: an account without a node shows known values and marks the rest', async (t) => {
  const account = chain.world.accounts[4]!;
  proxy.setFault(({ response }) => {
    response.statusCode = 503;
    response.end('gone');
    return 'answered';
  });
  try {
    const { status, body } = await api.get(`/api/v1/accounts/${account}`);
    t.is(status, 200);
    t.true(['index', 'none'].includes(body.stateSource));
    t.is(body.nonce, null);
    t.true(body.counts.transactions > 0);
    const page = await api.get(`/address/${account}`);
    t.is(page.status, 200);
    t.regex(page.body, /unknown/);
    const unknown = await api.get(`/api/v1/transactions/0x${'ab'.repeat(32)}`);
    t.is(unknown.status, 503, 'whether it exists is not known without a node');
    const told = await api.get('/api/v1/status');
    t.deepEqual([told.status, told.body.status], [503, 'down']);
    t.true(
      told.body.rpc.every(
        ({ healthy, lastFault }: { healthy: boolean; lastFault: string | null }) => !healthy && lastFault !== null,
      ),
    );
  } finally {
    proxy.setFault(null);
    await pause(200);
  }
});

test.serial('A5: state that no node keeps is a permanent error, not a node failure', async (t) => {
  const account = chain.world.accounts[3]!;
  const pruned = { code: -32000, message: `missing trie node ${'<b>caller</b>'}` };
  proxy.setFault(({ calls, replies }) => {
    for (const [i, { method, params }] of calls.entries())
      if (/^eth_(getBalance|call|getCode|getTransactionCount)$/.test(method) && params.at(-1) === '0x5')
        replies[i] = { jsonrpc: '2.0', id: replies[i].id, error: pruned };
    return 'changed';
  });
  try {
    const wanted = /nodes no longer keep the state of that block/;
    const token = `0x${'34'.repeat(20)}`;
    const asked = [
      `module=account&action=balancehistory&address=${account}&blockno=5`,
      `module=account&action=tokenbalancehistory&contractaddress=${token}&address=${account}&blockno=5`,
      `module=stats&action=tokensupplyhistory&contractaddress=${token}&blockno=5`,
    ];
    for (const { status, result } of await Promise.all([...asked, ...asked].map(ask))) {
      t.is(status, '0');
      t.regex(result, wanted);
    }
    const health = (await api.get('/api/v1/status')).body;
    t.not(health.status, 'down');
    t.true(health.rpc.every((endpoint: { healthy: boolean }) => endpoint.healthy));
    t.false(JSON.stringify(health.rpc).includes('caller'), 'what a caller made the node say is not shown');
  } finally {
    proxy.setFault(null);
  }
});

test.serial('A1: a request waits for a block that arrives in time', async (t) => {
  const { hash, to } = ahead.find((one) => one.to !== null);
  const pipeline = startPipeline({ database: store.deps.database, urls: [chain.rpc.url] });
  try {
    await pipeline.caughtUp(headReader(chain));
    await chain.mineLive(1);
    const block = blocks + mined + 1;
    const started = performance.now();
    let reward = await ask(`module=block&action=getblockreward&blockno=${block}`);
    // if indexing takes longer than a request waits, the request gets the error, but only after the wait
    if (reward.status === '0') {
      t.true(performance.now() - started > 1_400);
      await pipeline.caughtUp(headReader(chain));
      reward = await ask(`module=block&action=getblockreward&blockno=${block}`);
    }
    t.deepEqual([reward.status, reward.result.blockNumber], ['1', String(block)]);
    const info = await ask(`module=transaction&action=gettxinfo&txhash=${hash}`);
    t.is(info.result.hash, hash);
    const listed = await ask(`module=account&action=txlist&address=${to}&startblock=${blocks + 1}&endblock=${block}`);
    t.is(listed.status, '1');
    const unknown = await ask(`module=transaction&action=gettxinfo&txhash=0x${'ab'.repeat(32)}`);
    t.is(unknown.message, 'Transaction not found');
  } finally {
    await pipeline.stop();
  }
});

test.serial('D20: a failed creation does not make its address an account', async (t) => {
  const [from] = await chain.rpc.call<string[]>('eth_accounts', []);
  const nonce = Number(await chain.rpc.call<string>('eth_getTransactionCount', [from, 'latest']));
  const address = getCreateAddress({ from: from!, nonce }).toLowerCase();
  const before = (await api.get('/api/v1/stats')).body.accounts;
  const pipeline = startPipeline({ database: store.deps.database, urls: [chain.rpc.url] });
  try {
    const sent = { from, data: '0xfe', gas: '0x30d40', nonce: `0x${nonce.toString(16)}` };
    const hash = await chain.rpc.call<string>('eth_sendTransaction', [sent]);
    await chain.rpc.call('anvil_mine', ['0x1', '0x1']);
    await pipeline.caughtUp(headReader(chain));
    const { body } = await api.get(`/api/v1/transactions/${hash}`);
    t.is(body.status, 0);
    const account = (await api.get(`/api/v1/accounts/${address}`)).body;
    t.deepEqual([account.counts.transactions, account.firstSeen], [0, null]);
    const history = (await api.get(`/api/v1/accounts/${address}/transactions`)).body;
    t.deepEqual(history.transactions, []);
    const { accounts } = (await api.get('/api/v1/stats')).body;
    t.true(accounts <= before + 1, `${accounts} accounts, ${before} before`);
    t.deepEqual((await pipeline.verify()).differences, []);
  } finally {
    await pipeline.stop();
  }
});
