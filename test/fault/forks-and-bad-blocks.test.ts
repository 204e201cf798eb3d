import test from 'ava';
import { RpcClient } from '#chain/rpc/rpc-client.ts';
import { Random } from '#devchain/random.ts';
import { FinalizedDoubt } from '#pipeline/follow/doubt.ts';
import { decide, findFinalizedFork, storedHash } from '#pipeline/follow/finalized-comparison.ts';
import { recordReorg } from '#pipeline/follow/record-reorg.ts';
import { ChainStateStore } from '#pipeline/store/chain-state-store.ts';
import { pause } from '#runtime/shutdown.ts';
import { passRestart } from '#test/helpers/database-restart.ts';
import { type FaultyProxy, startFaultyProxy } from '#test/helpers/faulty-proxy.ts';
import { startFailingEngine } from '#test/helpers/mortal-engine.ts';
import { waitFor } from '#test/helpers/processes.ts';
import {
  headReader,
  type RunningApi,
  startApi,
  startDevChain,
  startPipeline,
  startTestEngine,
  type TestEngine,
} from '#test/helpers/service.ts';

let engine: TestEngine;

test.before(async () => {
  engine = await startTestEngine();
});

test.after.always(() => engine?.stop());

const status = async (api: RunningApi) => (await api.get('/api/v1/status')).body;
const startProxy = (target: string): Promise<FaultyProxy> =>
  startFaultyProxy({ target, random: new Random(1), fault: null, share: 1, budget: Number.POSITIVE_INFINITY });

test.serial('B8: of endpoints that disagree only a majority of at least three is followed', (t) => {
  const endpoint = {} as never;
  const told = (agreeing: number, ...hashes: string[]) => ({
    agreeing: Array.from({ length: agreeing }, () => endpoint),
    contradicting: hashes.map((hash) => ({ endpoint, hash })),
  });
  t.is(decide(told(1), 1, true), 'keep');
  t.is(decide(told(0), 3, true), 'keep', 'who is silent contradicts nothing');
  t.is(decide(told(0, 'b'), 1, false), 'hold');
  t.is(decide(told(0, 'b'), 1, true), 'follow');
  t.is(decide(told(1, 'b'), 2, true), 'hold', 'two cannot outvote each other');
  t.is(decide(told(0, 'b', 'b'), 2, true), 'hold');
  t.is(decide(told(2, 'b'), 3, true), 'keep', 'the one of three that differs is outvoted');
  t.is(decide(told(1, 'b', 'b'), 3, true), 'follow');
  t.is(decide(told(1, 'b', 'b'), 3, false), 'hold');
  t.is(decide(told(1, 'b', 'c'), 3, true), 'hold');
  t.is(decide(told(0, 'b', 'b'), 5, true), 'hold', 'two of five are no majority, though three are silent');
});

test.serial(
  'B7: a search for the fork that fails or is interrupted reports nothing, and lower blocks end no doubt',
  async (t) => {
    const chain = await startDevChain({ blocks: 40, seed: 77 });
    t.teardown(() => chain.stop());
    const database = await engine.open('broken_search');
    const pipeline = startPipeline({ database, urls: [chain.rpc.url] });
    t.teardown(() => pipeline.stop());
    await pipeline.caughtUp(headReader(chain));
    const { deps } = pipeline;
    const endpoint = deps.client.endpoints[0]!;
    t.is(await findFinalizedFork(deps, endpoint, 0, 8), 7);
    const stopped = AbortSignal.abort(new Error('stopped'));
    await t.throwsAsync(findFinalizedFork({ ...deps, signal: stopped }, endpoint, 0, 8), { message: 'stopped' });
    await pipeline.stop();
    const store = new ChainStateStore(deps);
    await store.load();
    const { signal } = new AbortController();
    const own = new RpcClient({ urls: [chain.rpc.url], timeoutMs: 5_000, maxInFlight: 1 });
    t.teardown(() => own.close());
    const doubt = new FinalizedDoubt({ ...deps, client: own, signal }, store);
    const stored = async (block: number) => (await storedHash(deps, block))!;
    await store.publish({ doubtedFrom: 5, doubtedSinceMs: Date.now(), doubt: 'block 8 is another one there' });
    t.false(await doubt.check(4, await stored(4)), 'what agrees below the doubted blocks ends no doubt');
    t.is(store.state.doubtedFrom, 5);
    t.true(await doubt.check(8, await stored(8)));
    t.is(store.state.doubtedFrom, undefined);
    const proxy = await startProxy(chain.rpc.url);
    t.teardown(() => proxy.stop());
    const client = new RpcClient({ urls: [proxy.url], timeoutMs: 1_000, maxInFlight: 1 });
    t.teardown(() => client.close());
    proxy.setFault(({ response }) => {
      response.destroy();
      return 'answered';
    });
    await t.throwsAsync(findFinalizedFork({ ...deps, signal, client }, client.endpoints[0]!, 0, 8));
    proxy.setFault(({ calls, response }) => {
      if (calls.every(({ params }) => Number(params[0]) === 8)) return 'untouched';
      response.destroy();
      return 'answered';
    });
    const cutOff = new FinalizedDoubt({ ...deps, client, signal }, store);
    await t.throwsAsync(cutOff.check(8, `0x${'1'.repeat(64)}`));
    t.is(store.state.doubtedFrom, 8, 'that this block differs is certain');
  },
);

test.serial('B8: endpoints on different forks are named, and nothing is deleted or repaired', async (t) => {
  const chain = await startDevChain({ blocks: 110, seed: 71 });
  const fork = await startDevChain({ blocks: 110, seed: 71, genesisTime: chain.genesisTime });
  t.teardown(() => Promise.all([chain.stop(), fork.stop()]));
  await fork.reorg(60);
  await fork.mineLive(1);
  const database = await engine.open('forks');
  const first = startPipeline({ database, urls: [chain.rpc.url] });
  const before = await first.caughtUp(headReader(chain));
  await first.stop();
  const settings = { finalizedCheckMs: 200, auditEveryMs: 200, pollIntervalMs: 50 };
  const second = startPipeline({ database, urls: [fork.rpc.url, chain.rpc.url], settings });
  t.teardown(() => second.stop());
  const api = await startApi(database, [chain.rpc.url]);
  t.teardown(() => api.stop());
  const isNamed = async () => (await status(api)).doubt !== null;
  await waitFor(isNamed, 30_000, 'the endpoint that differs is named');
  const told = await status(api);
  t.is(told.pipeline.contradictions[0].endpoint, new URL(fork.rpc.url).host);
  t.is(told.doubt.from, 51);
  await pause(2_000); // meanwhile, audits and steps continue
  const state = (await second.state())!;
  t.deepEqual(
    [state.head, state.finalized, state.reorgGeneration],
    [before.head, before.finalized, before.reorgGeneration],
  );
  t.is(second.failure(), undefined);
  await second.stop();
  const third = startPipeline({ database, urls: [chain.rpc.url], settings });
  t.teardown(() => third.stop());
  await waitFor(async () => (await third.state())!.doubtedFrom === undefined, 30_000, 'without it the doubt is over');
  t.deepEqual((await third.verify({ baseOnly: true })).differences, []);
});

function spoil(proxy: FaultyProxy, block: number): void {
  proxy.setFault(({ calls, replies }) => {
    let outcome: 'changed' | 'untouched' = 'untouched';
    for (const [i, { method }] of calls.entries()) {
      const result = replies[i]?.result;
      if (method !== 'eth_getBlockReceipts' || !result?.length || Number(result[0].blockNumber) !== block) continue;
      result[0].gasUsed = '0x1';
      outcome = 'changed';
    }
    return outcome;
  });
}

test.serial('B9: one bad block of history hides no good one, however often it is retried', async (t) => {
  const chain = await startDevChain({ blocks: 100, seed: 72 });
  t.teardown(() => chain.stop());
  const proxy = await startProxy(chain.rpc.url);
  t.teardown(() => proxy.stop());
  spoil(proxy, 30);
  const database = await engine.open('bad_block');
  const settings = { quarantinedRetryMs: 100, pollIntervalMs: 50, auditEveryMs: 200 };
  const pipeline = startPipeline({ database, urls: [proxy.url], settings });
  t.teardown(() => pipeline.stop());
  await waitFor(async () => (await pipeline.state())?.quarantined.includes(30) ?? false, 60_000, 'the block is parked');
  await waitFor(async () => (await pipeline.state())!.backfilledBefore > 60, 60_000, 'later blocks are stored');
  const quarantinedState = (await pipeline.state())!;
  const api = await startApi(database, [chain.rpc.url]);
  t.teardown(() => api.stop());
  const lost: number[] = [];
  for (let look = 0; look < 40; look++) {
    for (const number of [29, 31, 60])
      if ((await api.get(`/api/v1/strings/${number}`)).status !== 200) lost.push(number);
    await pause(50);
  }
  t.deepEqual(lost, []);
  t.is(
    (await pipeline.state())!.reorgGeneration,
    quarantinedState.reorgGeneration,
    'readers see the same while it is tried',
  );
  const told = await status(api);
  t.not(told.status, 'ok');
  t.is(told.parkedBlocks[0].block, 30);
  await passRestart(pipeline.deps);
  proxy.setFault(null);
  await waitFor(async () => (await pipeline.state())!.quarantined.length === 0, 60_000, 'it comes in');
  await pipeline.caughtUp(headReader(chain));
  t.deepEqual((await pipeline.verify()).differences, []);
});

test.serial('B9: a bad block at the head is reported with its error, and lower blocks stay available', async (t) => {
  const chain = await startDevChain({ blocks: 60, seed: 73 });
  t.teardown(() => chain.stop());
  const proxies = await Promise.all([startProxy(chain.rpc.url), startProxy(chain.rpc.url)]);
  t.teardown(() => Promise.all(proxies.map((proxy) => proxy.stop())));
  const database = await engine.open('bad_head');
  const pipeline = startPipeline({ database, urls: proxies.map(({ url }) => url), settings: { pollIntervalMs: 50 } });
  t.teardown(() => pipeline.stop());
  await pipeline.caughtUp(headReader(chain));
  const api = await startApi(database, [chain.rpc.url]);
  t.teardown(() => api.stop());
  for (const proxy of proxies) spoil(proxy, 62);
  await chain.mineLive(4);
  await waitFor(async () => (await status(api)).pipeline.badBlock !== null, 60_000, 'the bad block is named');
  const { status: word, pipeline: told, alerts } = await status(api);
  t.not(word, 'ok');
  t.is(told.badBlock.block, 62);
  t.regex(told.badBlock.fault, /cumulative_gas|gas_used/);
  t.true(alerts.some((alert: string) => alert.includes('block 62')));
  t.true(
    proxies.every((proxy) => proxy.injected() > 0),
    'every endpoint was tried',
  );
  t.is((await api.get('/api/v1/strings/61')).status, 200);
  t.regex(pipeline.deps.metrics!.lateness(100) ?? '', /no endpoint returns valid data for block 62/);
  for (const proxy of proxies) proxy.setFault(null);
  await pipeline.caughtUp(headReader(chain), 60_000);
  await waitFor(async () => (await status(api)).pipeline.badBlock === null, 20_000, 'it is over');
});

test.serial('B10: a reorg is recorded by the next pipeline when a kill prevented it', async (t) => {
  const chain = await startDevChain({ blocks: 60, seed: 74 });
  t.teardown(() => chain.stop());
  const database = await engine.open('killed_reorg');
  const first = startPipeline({ database, urls: [chain.rpc.url] });
  await first.caughtUp(headReader(chain));
  await first.stop();
  const store = new ChainStateStore(first.deps);
  await store.load();
  const hash = (digit: string) => `0x${digit.repeat(64)}`;
  const reorg = { detectedMs: Date.now(), forkBlock: 58, removed: [hash('1'), hash('2')], added: [hash('3')] };
  await store.publish({ reorgIntent: JSON.stringify(reorg) }); // left by a pipeline killed after this step
  const second = startPipeline({ database, urls: [chain.rpc.url] });
  t.teardown(() => second.stop());
  await waitFor(async () => (await second.state())!.reorgIntent === '', 30_000, 'the intent is carried out');
  const api = await startApi(database, [chain.rpc.url]);
  t.teardown(() => api.stop());
  const listed = (await api.get('/api/v1/reorgs')).body.items;
  t.like(listed[0], { forkBlock: 58, depth: 2, removed: reorg.removed, added: reorg.added });
  await recordReorg(database, reorg); // like a kill between both writes
  for (const forkBlock of [40, 41, 42]) await recordReorg(database, { ...reorg, forkBlock });
  t.is((await status(api)).reorgs, 4, 'each once');
  const walked: number[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await api.get(`/api/v1/reorgs?limit=1${cursor && `&cursor=${cursor}`}`);
    walked.push(...body.items.map((item: { forkBlock: number }) => item.forkBlock));
    cursor = body.nextCursor;
  }
  t.deepEqual(walked, [58, 42, 41, 40], 'none of one millisecond is lost');
});

test.serial('B10: a reorg is never missing when the pipeline is killed between any two of its writes', async (t) => {
  const chain = await startDevChain({ blocks: 60, seed: 76 });
  t.teardown(() => chain.stop());
  const database = await engine.open('killed_writes');
  const urls = [chain.rpc.url];
  const settings = { leaseMs: 400, pollIntervalMs: 50 };
  let made = 0;
  for (const writes of [1, 2]) {
    const mortal = await startFailingEngine(engine.url, 'killed_writes');
    const doomed = startPipeline({ database: mortal.database, urls, settings });
    await doomed.caughtUp(headReader(chain));
    let isHidden = false;
    mortal.dieAfter(writes, (sql) => {
      isHidden ||= /INSERT INTO chain_state/.test(sql);
      return isHidden && /chain_state|reorgs|blocks|transactions/.test(sql);
    });
    await chain.reorg(3);
    await chain.mineLive(1);
    made++;
    await waitFor(async () => mortal.isDead(), 20_000, 'it is killed');
    await doomed.stop();
    await mortal.stop();
    const next = startPipeline({ database, urls, settings });
    await next.caughtUp(headReader(chain));
    await next.stop();
  }
  const api = await startApi(database, urls);
  t.teardown(() => api.stop());
  const { items } = (await api.get('/api/v1/reorgs')).body;
  t.true(items.length >= made, `${items.length} of ${made} reorgs`);
  t.is((await status(api)).reorgs, items.length);
});

test.serial('B7: status is never "ok" while a pipeline is gone or restarts repeatedly', async (t) => {
  const chain = await startDevChain({ blocks: 50, seed: 75 });
  t.teardown(() => chain.stop());
  const database = await engine.open('gone');
  const pipeline = startPipeline({ database, urls: [chain.rpc.url] });
  await pipeline.caughtUp(headReader(chain));
  const api = await startApi(database, [chain.rpc.url]);
  t.teardown(() => api.stop());
  await waitFor(async () => (await status(api)).status === 'ok', 20_000, 'all is well');
  await pipeline.stop();
  const told = await status(api);
  t.like(told, { status: 'degraded', pipeline: { running: false, phase: 'stopped' } });
  t.true(told.alerts.includes('no pipeline runs: the index is not updated'));
  for (let start = 0; start < 3; start++) {
    const next = startPipeline({ database, urls: [chain.rpc.url] });
    await waitFor(async () => (await status(api)).pipeline.running, 20_000, 'it runs');
    await next.stop();
  }
  const restarted = await status(api);
  t.not(restarted.status, 'ok');
  t.true(restarted.alerts.includes('the pipeline started 4 times in ten minutes'), restarted.alerts.join());
});
