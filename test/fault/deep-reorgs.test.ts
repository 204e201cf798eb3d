import test, { type ExecutionContext } from 'ava';
import { toQuantity } from '#chain/codec/hex.ts';
import type { DevChain } from '#devchain/devchain.ts';
import { Random } from '#devchain/random.ts';
import { ChainStateStore } from '#pipeline/store/chain-state-store.ts';
import { rewind } from '#pipeline/store/rewind.ts';
import { resolveStatement } from '#sql/compile/calls.ts';
import { balancesJob, codesJob, readMark } from '#sql/job-marks.ts';
import { EventReader } from '#test/helpers/event-reader.ts';
import { startFaultyProxy } from '#test/helpers/faulty-proxy.ts';
import { readPage } from '#test/helpers/page-reader.ts';
import { waitFor } from '#test/helpers/processes.ts';
import {
  headReader,
  type RunningApi,
  type RunningPipeline,
  startApi,
  startDevChain,
  startPipeline,
  startTestEngine,
  type TestEngine,
} from '#test/helpers/service.ts';
import { walkItems } from '#test/helpers/walk.ts';

let engine: TestEngine;

test.before(async () => {
  engine = await startTestEngine();
});

test.after.always(() => engine?.stop());

interface Scene {
  readonly chain: DevChain;
  readonly api: RunningApi;
  readonly start: (settings?: object) => RunningPipeline;
}

async function setScene(
  t: { teardown(end: () => unknown): void },
  name: string,
  blocks: number,
  quiet = 0,
): Promise<Scene> {
  const chain = await startDevChain({ blocks, seed: 61, ...(quiet > 0 && { quiet: { after: 50, blocks: quiet } }) });
  t.teardown(() => chain.stop());
  const database = await engine.open(name);
  const api = await startApi(database, [chain.rpc.url]);
  t.teardown(() => api.stop());
  const start = (settings = {}) =>
    startPipeline({ database, urls: [chain.rpc.url], settings: { finalizedCheckMs: 200, ...settings } });
  return { chain, api, start };
}

async function forkBelow(chain: DevChain, depth: number): Promise<number> {
  const head = await headReader(chain)();
  await chain.reorg(depth);
  await chain.mineLive(3);
  return head - depth;
}

const status = async (api: RunningApi) => (await api.get('/api/v1/status')).body;

test.serial(
  'B7: while a node contradicts finalized blocks nothing claims their finality, and a rewind recovers',
  async (t) => {
    const { chain, api, start } = await setScene(t, 'deep', 120);
    let pipeline = start();
    t.teardown(() => pipeline.stop());
    const before = await pipeline.caughtUp(headReader(chain));
    // biome-ignore lint/suspicious/noExplicitAny: the node's own shape
    const gone = await chain.rpc.call<any>('eth_getBlockByNumber', ['0x50', true]); // finalized
    const [{ hash, to }] = gone.transactions;
    t.is((await api.get(`/api/v1/transactions/${hash}`)).body.finality, 'final');
    const marksAreAbove = async (block: number) => {
      const marks = await Promise.all([balancesJob, codesJob].map((job) => readMark(pipeline.deps, job)));
      return marks.every((mark) => mark >= block);
    };
    await waitFor(() => marksAreAbove(before.finalized), 30_000, 'balances and codes are read');
    const fork = await forkBelow(chain, 60);
    await waitFor(async () => (await pipeline.state())?.doubtedFrom === fork + 1, 30_000, 'the doubt is published');

    const told = await status(api);
    t.not(told.status, 'ok');
    t.like(told.doubt, { from: fork + 1 });
    t.regex(told.doubt.reason, /finalized block \d+ has the stored hash 0x/);
    t.is(told.pipeline.phase, 'holding');
    t.true(told.alerts.some((alert: string) => alert.includes(`block ${fork + 1}`)));
    t.is(pipeline.deps.metrics!.health().status, 'holding');
    t.regex(await pipeline.deps.metrics!.registry.metrics(), /^cordscan_pipeline_doubted 1$/m);
    const transaction = (await api.get(`/api/v1/transactions/${hash}`)).body;
    t.like(transaction, { finality: 'doubted', confirmations: 0, confirmed: false, creditable: false });
    t.like((await api.get('/api/v1/strings/80')).body, { finality: 'doubted', confirmations: 0 });
    t.not(
      (await api.get(`/api/v1/deposits/verdict?tx=${hash}&to=${to ?? `0x${'1'.repeat(40)}`}`)).body.verdict,
      'creditable',
    );
    const listed = (await api.get(`/api?module=account&action=txlist&address=${gone.transactions[0].from}`)).body;
    t.true(listed.result.every((row: { blockNumber: string }) => Number(row.blockNumber) <= fork));
    const asked = `startblock=${fork - 3}&endblock=${fork + 3}`;
    const refused = (await api.get(`/api?module=account&action=txlist&address=${gone.transactions[0].from}&${asked}`))
      .body;
    t.regex(refused.result, new RegExp(`Blocks ${fork + 1} to ${fork + 3} are in doubt`));
    const page = await api.get(`/tx/${hash}`);
    t.regex(page.body, /In doubt/);
    t.regex(page.body, /contradicts/);
    const history = (await api.get(`/api/v1/accounts/${gone.transactions[0].from}/transactions`)).body;
    t.false(history.coverage.complete);
    const certificate = (await api.get(`/api/v1/export/transactions/certificate?fromBlock=1&toBlock=${fork + 2}`)).body;
    t.like(certificate, { complete: false, toBlock: fork });
    const post = { method: 'POST', body: JSON.stringify({ addresses: [gone.transactions[0].from] }) };
    const { id } = (await api.get('/api/v1/address-sets', post)).body;
    const walk = `/api/v1/address-sets/${id}/transfers?minConfirmations=0&toBlock=${fork + 2}&limit=1000`;
    const first = (await api.get(walk)).body;
    t.like(first, { hasMore: true, throughBlock: fork });
    const rest = await api.get(`${walk}&cursor=${first.nextCursor}`);
    t.is(`${rest.status} ${rest.body.code}`, '503 indexing', 'a list up to a block in doubt has no end');
    const changes = await api.get(`/api/v1/changes?since=${before.head}-${before.headHash}`);
    t.is(`${changes.status} ${changes.body.code}`, '503 indexing', 'a mirror is not told that it is complete');

    await pipeline.stop();
    pipeline = start();
    await waitFor(async () => (await status(api)).pipeline?.phase === 'holding', 20_000, 'a restart holds too');
    t.is((await pipeline.state())?.head, before.head, 'nothing was repaired piecemeal');
    t.is(pipeline.failure(), undefined);
    await pipeline.stop();

    await rewind(pipeline.deps, fork);
    t.is(await readMark(pipeline.deps, codesJob), fork, 'codes of new blocks are read');
    t.is(await readMark(pipeline.deps, balancesJob), -1, 'all balances are read again');
    pipeline = start();
    await pipeline.caughtUp(headReader(chain), 60_000);
    t.deepEqual((await pipeline.verify()).differences, []);
    await waitFor(() => marksAreAbove(fork + 1), 30_000, 'balances and codes are read again');
    const balances = (await walkItems(api, '/accounts/top')) as {
      address: string;
      balance: string;
      balanceBlock: number;
    }[];
    t.true(balances.length > 20);
    for (const { address, balance, balanceBlock } of balances)
      t.is(
        BigInt(await chain.rpc.call('eth_getBalance', [address, toQuantity(balanceBlock)])),
        BigInt(balance),
        address,
      );
    const after = await status(api);
    t.is(after.doubt, null);
    const { items } = (await api.get('/api/v1/reorgs')).body;
    t.like(items[0], { forkBlock: fork, depth: before.head - fork });
    t.true(
      items[0].transactions.some((one: { txHash: string }) => one.txHash === hash),
      'its transactions are kept',
    );
    t.is(after.reorgs, 1, 'reorgs are counted, repairs and retries are not');
  },
);

test.serial('B7: DEEP_REORG=follow rewinds to the fork, keeps the orphans and records the reorg', async (t) => {
  const { chain, api, start } = await setScene(t, 'deep_follow', 230, 150);
  const pipeline = start({ deepReorg: 'follow' });
  t.teardown(() => pipeline.stop());
  const before = await pipeline.caughtUp(headReader(chain));
  const fork = await forkBelow(chain, 190);
  await waitFor(async () => (await pipeline.state())!.head > before.head, 60_000, 'it follows the other branch');
  await pipeline.caughtUp(headReader(chain), 60_000);
  t.deepEqual((await pipeline.verify()).differences, []);
  t.is((await status(api)).doubt, null);
  t.like((await api.get('/api/v1/reorgs')).body.items[0], { forkBlock: fork, depth: before.head - fork });
  const head = await headReader(chain)();
  const stream = await EventReader.open(`${api.origin}/api/v1/stream/heads?lastEventId=0`);
  t.teardown(() => stream.close());
  await waitFor(() => stream.events.at(-1)?.data.number === head, 30_000, 'the stream comes to the head');
  const told: string[] = [];
  for (const { name, data } of stream.events) {
    if (name === 'anchor.removed') t.is(told.pop(), data.hash, 'the newest block is removed');
    else {
      if (told.length > 0) t.is(told.at(-1), data.parentHash, `block ${data.number} links`);
      told.push(data.hash);
    }
  }
  await pipeline.stop();
  await showUnknownFates(t, pipeline, api, fork + 1);
});

/** Checks that a removed transaction counts as lost only if no missing block can contain it. */
async function showUnknownFates(t: ExecutionContext, { deps }: RunningPipeline, api: RunningApi, missing: number) {
  const store = new ChainStateStore(deps);
  await store.load();
  const readFates = async (quarantined: number[]) => {
    await store.publish({ quarantined });
    const isRead = (read: readonly number[] | undefined) => read?.length === quarantined.length;
    await waitFor(async () => isRead((await api.deps.snapshots.fresh())?.quarantined), 10_000, 'it is read');
    const [{ transactions }] = (await api.get('/api/v1/reorgs')).body.items;
    const fates = transactions.map(({ fate }: { fate: string }) => fate);
    const { text } = await readPage(api, '/reorgs');
    const feed = (await api.get('/feeds/reorgs.xml')).body;
    return { fates: new Set(fates), text, feed, count: fates.filter((fate: string) => fate !== 'included').length };
  };
  const lost = await readFates([]);
  t.true(lost.fates.has('notIncluded'));
  t.regex(lost.text, /in no block/);
  t.regex(lost.feed, new RegExp(`, ${lost.count} of them in no block now`));
  const unknown = await readFates([missing]);
  t.false(unknown.fates.has('notIncluded'));
  t.notRegex(unknown.text, /in no block/);
  t.regex(unknown.text, /unknown: blocks that can contain it are not indexed/);
  t.regex(unknown.feed, new RegExp(`, 0 \\(${unknown.count} unknown\\) of them in no block now`));
}

test.serial('B7: doubt ends without loss when the node returns to the stored chain', async (t) => {
  const { chain, api } = await setScene(t, 'deep_back', 100);
  const proxy = await startFaultyProxy({
    target: chain.rpc.url,
    random: new Random(1),
    fault: null,
    share: 1,
    budget: Number.POSITIVE_INFINITY,
  });
  t.teardown(() => proxy.stop());
  const { database } = api.deps;
  const pipeline = startPipeline({ database, urls: [proxy.url], settings: { finalizedCheckMs: 200 } });
  t.teardown(() => pipeline.stop());
  const before = await pipeline.caughtUp(headReader(chain));
  // block headers from 40 on belong to another branch
  proxy.setFault(({ calls, replies }) => {
    let outcome: 'changed' | 'untouched' = 'untouched';
    for (const [i, { method, params }] of calls.entries()) {
      if (method !== 'eth_getBlockByNumber' || params[1] || !(Number(params[0]) >= 40) || !replies[i]?.result) continue;
      replies[i].result.hash = `0x${'5'.repeat(64)}`;
      outcome = 'changed';
    }
    return outcome;
  });
  await waitFor(async () => (await pipeline.state())?.doubtedFrom === 40, 30_000, 'the fork is found by bisection');
  proxy.setFault(null);
  await waitFor(async () => (await pipeline.state())?.doubtedFrom === undefined, 30_000, 'the doubt is over');
  await chain.mineLive(2);
  await pipeline.caughtUp(headReader(chain));
  t.is((await pipeline.state())?.reorgGeneration, before.reorgGeneration, 'nothing was taken back');
  t.is((await status(api)).doubt, null);
});

test.serial('B7: unfinalized blocks of two branches are dropped and read again at the start', async (t) => {
  const { chain, start } = await setScene(t, 'window', 90);
  const first = start();
  await first.caughtUp(headReader(chain));
  await first.stop();
  const { database } = first.deps;
  await database.command(
    "INSERT INTO blocks SELECT * REPLACE (toFixedString('another branch', 32) AS parent_hash) FROM blocks WHERE final = 0 AND block_number = 80",
  );
  await database.command('OPTIMIZE TABLE blocks FINAL');
  const before = (await first.state())!;
  const second = start();
  t.teardown(() => second.stop());
  await waitFor(
    async () => (await second.state())!.reorgGeneration > before.reorgGeneration,
    30_000,
    'the window is dropped',
  );
  await second.caughtUp(headReader(chain), 40_000);
  t.is(second.failure(), undefined);
  t.deepEqual((await second.verify({ baseOnly: true })).differences, []);
  const statement = {
    ...resolveStatement('chain_state'),
    sql: 'SELECT fork_block, length(removed) AS removed FROM reorgs',
  };
  const { finalized, head } = before;
  t.deepEqual(await database.read(statement), [{ fork_block: String(finalized), removed: String(head - finalized) }]);
});

test.serial('no block becomes final while a node names another finalized one', async (t) => {
  const { chain, api } = await setScene(t, 'other_tag', 100);
  const options = { target: chain.rpc.url, random: new Random(1), fault: null, share: 1 };
  const proxy = await startFaultyProxy({ ...options, budget: Number.POSITIVE_INFINITY });
  t.teardown(() => proxy.stop());
  const settings = { finalityDepth: undefined };
  const pipeline = startPipeline({ database: api.deps.database, urls: [proxy.url], settings });
  t.teardown(() => pipeline.stop());
  const before = await pipeline.caughtUp(headReader(chain));
  let asked = 0;
  proxy.setFault(({ calls, replies }) => {
    const at = calls.findIndex(({ params }) => params[0] === 'finalized');
    if (at < 0) return 'untouched';
    asked++;
    replies[at].result.hash = `0x${'6'.repeat(64)}`;
    return 'changed';
  });
  await chain.mineLive(40);
  await waitFor(() => asked > 3, 30_000, 'the finalized block is read');
  t.is((await pipeline.state())!.finalized, before.finalized);
  proxy.setFault(null);
  await chain.mineLive(1);
  await waitFor(async () => (await pipeline.state())!.finalized > before.finalized, 30_000, 'blocks are final again');
  await pipeline.caughtUp(headReader(chain));
  t.deepEqual((await pipeline.verify({ baseOnly: true })).differences, []);
});
