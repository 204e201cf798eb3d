import test, { type ExecutionContext } from 'ava';
import { parseUnits } from 'ethers';
import type { DevChain } from '#devchain/devchain.ts';
import { Random } from '#devchain/random.ts';
import type { Database } from '#sql/client.ts';
import { readChainModel } from '#test/helpers/chain-model.ts';
import { devSettings } from '#test/helpers/dev-settings.ts';
import { sum } from '#test/helpers/economy-model.ts';
import { type Fault, startFaultyProxy } from '#test/helpers/faulty-proxy.ts';
import { waitFor } from '#test/helpers/processes.ts';
import {
  headReader,
  startApi,
  startDevChain,
  startPipeline,
  startTestEngine,
  type TestEngine,
} from '#test/helpers/service.ts';
import { startEmittingNode } from '#test/helpers/x-node.ts';

let engine: TestEngine;
let chain: DevChain;

test.before(async () => {
  [engine, chain] = await Promise.all([startTestEngine(), startDevChain({ blocks: 70, seed: 81 })]);
});

test.after.always(async () => {
  await chain?.stop();
  await engine?.stop();
});

const each =
  (change: (call: { method: string; params: unknown[] }, reply: Record<string, unknown>) => void): Fault =>
  ({ calls, replies }) => {
    for (const [i, call] of calls.entries()) change(call, replies[i]);
    return 'changed';
  };

async function startBehind(t: { teardown(end: () => unknown): void }, name: string, fault: Fault, settings = {}) {
  const options = { target: chain.rpc.url, random: new Random(1), fault, share: 1, budget: Number.POSITIVE_INFINITY };
  const proxy = await startFaultyProxy(options);
  t.teardown(() => proxy.stop());
  const database = await engine.open(name);
  const pipeline = startPipeline({ database, urls: [proxy.url], settings, verifyUrls: [chain.rpc.url] });
  t.teardown(() => pipeline.stop());
  return pipeline;
}

const unsupported = each(({ method }, reply) => {
  if (!/Receipt/.test(method)) return;
  reply.result = undefined;
  reply.error = { code: -32601, message: `the method ${method} does not exist` };
});

test('start fails for a node without any receipt method', async (t) => {
  const pipeline = await startBehind(t, 'no_receipts', unsupported);
  await waitFor(() => pipeline.failure() !== undefined, 20_000, 'it ends');
  t.regex(String(pipeline.failure()), /no endpoint of RPC_URL serves receipts: eth_getBlockReceipts or/);
});

test('start fails for an unknown field format and names the field and node family', async (t) => {
  const odd = each(({ method }, reply) => {
    const block = reply.result as Record<string, unknown> | undefined;
    if (method.startsWith('eth_getBlockBy') && block) block.gasLimit = 30_000_000;
  });
  const pipeline = await startBehind(t, 'odd_field', odd);
  await waitFor(() => pipeline.failure() !== undefined, 20_000, 'it ends');
  t.regex(String(pipeline.failure()), /block field gasLimit is 30000000.*reports client version anvil/);
});

const pruned = (first: number) =>
  each(({ method, params }, reply) => {
    if (method === 'eth_getBlockByNumber' && /^0x/.test(String(params[0])) && Number(params[0]) < first)
      reply.result = null;
  });

test('start names the START_BLOCK that pruned nodes can serve, and indexes from there', async (t) => {
  const refused = await startBehind(t, 'pruned', pruned(12));
  await waitFor(() => refused.failure() !== undefined, 20_000, 'it ends');
  t.regex(String(refused.failure()), /no endpoint has block 0: the lowest available block is 12. Set START_BLOCK=12/);
  const pipeline = await startBehind(t, 'pruned_start', pruned(12), { startBlock: 12 });
  await pipeline.caughtUp(headReader(chain));
  t.deepEqual((await pipeline.verify({ baseOnly: true })).differences, []);
  const database = await engine.open('pruned_start');
  await denyOnlyIndexedBlocks(t, database);
  await countEmissionFromStart(t, database);
  await database.command('ALTER TABLE blocks DELETE WHERE block_number = 12 SETTINGS mutations_sync = 2');
  const { differences } = await pipeline.verify({ fromBlock: 30, toBlock: 31 });
  const gaps = differences.filter(({ where }) => where === 'block_gaps');
  t.deepEqual(
    gaps.map(({ detail }) => detail),
    ['1 blocks are missing'],
    'also if the first block is lost, and other blocks are compared',
  );
});

/** Checks charts of coin amounts whose first bucket begins with the first indexed block. */
async function countEmissionFromStart(t: ExecutionContext, database: Database): Promise<void> {
  const blocks = await readChainModel(chain.rpc, await headReader(chain)());
  const perBlock = 3n * 10n ** 18n;
  const node = await startEmittingNode(chain.rpc.url, blocks, perBlock);
  t.teardown(() => node.stop());
  const { supply } = devSettings(chain.rpc.url);
  const api = await node.api(database, { supply: { ...supply, emissionMethod: 'x_getEmission' } });
  const { status, body } = await api.get('/api/v1/stats/charts/newBlockRewards?resolution=day&from=0');
  t.is(status, 200, JSON.stringify(body));
  const rewards = body.points.map(({ value }: { value: string }) => parseUnits(value, 18));
  const indexed = blocks.slice(12);
  const fees = sum(indexed.map(({ burned, txs }) => sum(txs.map(({ fee }) => fee)) - burned));
  t.is(sum(rewards), fees + perBlock * BigInt(indexed.length));
}

/**
 * Checks that the API reports which blocks it has, instead of a definite "not found" for data that earlier blocks may
 * contain.
 */
async function denyOnlyIndexedBlocks(t: ExecutionContext, database: Database): Promise<void> {
  const api = await startApi(database, [chain.rpc.url]);
  t.teardown(() => api.stop());
  const compatible = async (query: string) => (await api.get(`/api?${query}`)).body;
  const { transactions } = await chain.rpc.call<{ transactions: string[] }>('eth_getBlockByNumber', ['0x5', false]);
  const early = await api.get(`/api/v1/transactions/${transactions[0]}`);
  t.like(early, { status: 404, body: { details: { blockNumber: 5, indexedFrom: 12 } } }, JSON.stringify(early.body));
  t.regex(early.body.detail, /is in block 5; blocks before 12 are not indexed here/);
  const [hash, stranger] = [`0x${'ab'.repeat(32)}`, `0x${'5e'.repeat(20)}`];
  const unknown = await api.get(`/api/v1/transactions/${hash}`);
  t.regex(unknown.body.detail, /is not in blocks 12 to \d+; earlier blocks are not indexed here/);
  const list = `module=account&action=txlist&address=${stranger}`;
  for (const query of [list, `module=contract&action=getcontractcreation&contractaddresses=${stranger}`]) {
    const { status, message, result } = await compatible(query);
    t.deepEqual([status, message], ['0', 'NOTOK'], query);
    t.regex(result, /^Error! No .+ found from block 12 on\. Earlier blocks are not indexed/);
  }
  for (const action of ['getstatus', 'gettxreceiptstatus', 'gettxinfo']) {
    const { status, result } = await compatible(`module=transaction&action=${action}&txhash=${hash}`);
    t.is(status, '0', action);
    t.regex(result, /^Error! The transaction is not known from block 12 on\. Earlier blocks are not indexed/);
  }
  for (const part of ['&startblock=12', '&page=2&offset=10'])
    t.like(await compatible(list + part), { status: '0', message: 'No transactions found', result: [] }, part);
  t.regex((await compatible(`${list}&startblock=0`)).result, /Blocks 0 to 11 are not indexed here \(START_BLOCK\)$/);
  await countNoFirsts(t, api);
  for (const path of [
    'ai-agents',
    'accounts/top',
    'registry/stats',
    'registry/strings',
    'tokenized/assets',
    'search?q=a',
  ])
    t.false((await api.get(`/api/v1/${path}`)).body.index.complete, path);
  for (const query of ['module=contract&action=listcontracts', 'module=account&action=listaccounts'])
    t.regex((await compatible(query)).result, /known from block 12 on\. Earlier blocks are not indexed/);
  for (const query of [
    'module=block&action=getblocknobytime&closest=after&timestamp=1',
    'module=stats&action=dailynewaddress&startdate=2990-01-01&enddate=2999-01-01',
    'module=stats&action=dailytx&startdate=1970-01-01&enddate=2999-01-01',
  ]) {
    const { status, result } = await compatible(query);
    t.is(status, '0', query);
    t.regex(result, /^Error! Blocks .*\(START_BLOCK\)/);
  }
}

/** Checks that charts whose values depend on earlier blocks are not complete. */
async function countNoFirsts(t: ExecutionContext, api: Awaited<ReturnType<typeof startApi>>): Promise<void> {
  const stats = async (path: string) => api.get(`/api/v1/stats/${path}`);
  const block = await chain.rpc.call<{ timestamp: string }>('eth_getBlockByNumber', ['0x20', false]);
  const later = `from=${Math.ceil(Number(block.timestamp) / 300) * 300}`;
  for (const [path, isComplete] of [
    ['charts/newTxns?resolution=day', false],
    [`charts/newTxns?resolution=5min&${later}`, true],
    [`charts/newAccounts?resolution=5min&${later}`, false],
    [`charts/accountsGrowth?resolution=5min&${later}`, false],
    ['charts/newTxns?resolution=5min&from=1000&to=2000', false],
    ['query?of=transactions&measure=count&resolution=day', false],
    ['query?of=transactions&measure=count&resolution=all', false],
    ['query?of=transactions&measure=count&resolution=5min&from=1000&to=2000', false],
    [`query?of=transactions&measure=count&resolution=5min&${later}`, true],
  ] as const) {
    const { status, body } = await stats(path);
    t.deepEqual([status, body.index.complete], [200, isComplete], path);
    t.is((await stats(`${path}&format=csv`)).status, isComplete ? 200 : 400, path);
  }
  for (const more of ['measure=new&field=sender', 'measure=count&cumulative=true', 'cumulative=true&format=sql']) {
    const { status, body } = await stats(`query?of=transactions&${more}&resolution=day`);
    t.is(status, 400, more);
    t.regex(body.detail, /blocks before block 12 are not indexed \(START_BLOCK\)/);
  }
}
