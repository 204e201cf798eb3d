import test, { type ExecutionContext } from 'ava';
import { fetchBlocks } from '#chain/rpc/fetch-blocks.ts';
import { RpcClient } from '#chain/rpc/rpc-client.ts';
import type { DevChain } from '#devchain/devchain.ts';
import { Random } from '#devchain/random.ts';
import { type Fault, type FaultyProxy, startFaultyProxy } from '#test/helpers/faulty-proxy.ts';
import { startForkView } from '#test/helpers/fork-view.ts';
import { waitFor } from '#test/helpers/processes.ts';
import {
  headReader,
  type RunningPipeline,
  startDevChain,
  startPipeline,
  startTestEngine,
  type TestEngine,
} from '#test/helpers/service.ts';

const seed = Number(process.env.SEED ?? 4);
const history = 70;

let engine: TestEngine;
let chain: DevChain;

test.before(async (t) => {
  t.log(`seed ${seed}`);
  [engine, chain] = await Promise.all([startTestEngine(), startDevChain({ blocks: history, seed })]);
});

test.after.always(async () => {
  await chain?.stop();
  await engine?.stop();
});

const lagging =
  (behind: number): Fault =>
  async ({ calls, replies }) => {
    const top = Number(await chain.rpc.call('eth_blockNumber', [])) - behind;
    for (const [i, { method, params }] of calls.entries()) {
      const reply = replies[i];
      const hex = `0x${top.toString(16)}`;
      if (method === 'eth_blockNumber') reply.result = hex;
      else if (params[0] === 'latest') reply.result = await chain.rpc.call(method, [hex, params[1]]);
      else if (heightAsked(params[0], reply.result) > top) reply.result = null;
    }
    return 'changed' as const;
  };

function heightAsked(
  param: unknown,
  result: { number?: string; blockNumber?: string }[] | { number?: string },
): number {
  const isHash = typeof param === 'string' && param.length === 66;
  if (!isHash) return Number(param);
  return Number(Array.isArray(result) ? result[0]?.blockNumber : result?.number);
}

const lying: Fault = ({ calls, replies }) => {
  let outcome: 'untouched' | 'changed' = 'untouched';
  for (const [i, { method }] of calls.entries()) {
    if (method !== 'eth_getBlockReceipts' || !Array.isArray(replies[i].result)) continue;
    replies[i].result = replies[i].result.slice(1);
    outcome = 'changed';
  }
  return outcome;
};

/** Answers like a node that has pruned the bodies and receipts of old blocks. @source EIP-4444 */
const pruning: Fault = ({ calls, replies }) => {
  let outcome: 'untouched' | 'changed' = 'untouched';
  for (const [i, { method, params }] of calls.entries()) {
    if (!/^eth_getBlock(ByNumber|Receipts)$/.test(method) || !(heightAsked(params[0], replies[i].result) < 30))
      continue;
    const { id, jsonrpc } = replies[i];
    replies[i] = { id, jsonrpc, error: { code: 4444, message: 'pruned history unavailable' } };
    outcome = 'changed';
  }
  return outcome;
};

const faultless = () => ({
  target: chain.rpc.url,
  random: new Random(seed),
  fault: null,
  share: 1,
  budget: Number.POSITIVE_INFINITY,
});

const throughProxy = (fault: Fault): Promise<FaultyProxy> => startFaultyProxy({ ...faultless(), fault });

test.serial('blocks that the first endpoint has pruned come from the second', async (t) => {
  const proxy = await throughProxy(pruning);
  t.teardown(() => proxy.stop());
  const client = new RpcClient({ urls: [proxy.url, chain.rpc.url], timeoutMs: 5_000, maxInFlight: 4 });
  t.teardown(() => client.close());
  for (const block of [3, 4, 5]) {
    const { bundles, endpoint } = await fetchBlocks(client, block, block, { verify: 'links' });
    t.is(Number(bundles[0]?.block.number), block);
    t.is(endpoint, client.endpoints[1]!);
  }
  const [pruned] = client.endpoints;
  const asked = fetchBlocks(client, 3, 3, { verify: 'links', endpoint: pruned, retries: 1 });
  await t.throwsAsync(asked, { message: /pruned history unavailable \(4444\)/ }, 'of the node itself');
});

for (const [name, fault] of [
  ['lags ten blocks', lagging(10)],
  ['gives bad receipts', lying],
] as const) {
  for (const place of ['first', 'second'] as const) {
    test.serial(`pipeline stores correct data when the ${place} of two endpoints ${name}`, async (t) => {
      const proxy = await throughProxy(fault);
      t.teardown(() => proxy.stop());
      const urls = place === 'first' ? [proxy.url, chain.rpc.url] : [chain.rpc.url, proxy.url];
      const database = await engine.open(`${place}_${name.replaceAll(' ', '_')}`);
      const pipeline = startPipeline({ database, urls, verifyUrls: [chain.rpc.url] });
      t.teardown(() => pipeline.stop());
      await pipeline.caughtUp(headReader(chain), 30_000);
      for (let i = 0; i < 12; i++) {
        if (i === 6) await chain.reorg(4);
        await chain.mineLive(1);
        await pipeline.caughtUp(headReader(chain));
      }
      t.true(proxy.injected() > 0);
      t.deepEqual((await pipeline.verify({ baseOnly: true })).differences, []);
    });
  }
}

test.serial('endpoint that lags takes nothing away while the one ahead is down', async (t) => {
  const [behind, ahead] = [await throughProxy(lagging(10)), await throughProxy(() => 'untouched')];
  t.teardown(() => Promise.all([behind.stop(), ahead.stop()]));
  const database = await engine.open('only_behind');
  const pipeline = startPipeline({ database, urls: [behind.url, ahead.url], verifyUrls: [chain.rpc.url] });
  t.teardown(() => pipeline.stop());
  const before = await pipeline.caughtUp(headReader(chain), 30_000);
  ahead.setFault(({ response }) => {
    response.writeHead(503).end();
    return 'answered';
  });
  for (let i = 0; i < 12; i++) {
    await new Promise((resolve) => setTimeout(resolve, 250)); // longer than a lower head must persist before it is accepted
    const now = await pipeline.state();
    t.deepEqual([now?.head, now?.reorgGeneration], [before.head, before.reorgGeneration]);
  }
  ahead.setFault(null);
  await chain.mineLive(2);
  await pipeline.caughtUp(headReader(chain), 30_000);
  t.is((await pipeline.state())?.reorgGeneration, before.reorgGeneration);
  t.deepEqual((await pipeline.verify({ baseOnly: true })).differences, []);
});

/** Reports a newest block 500 blocks above the real one. That block does not exist. */
const boasting: Fault = ({ calls, replies }) => {
  const raise = (hex: string) => `0x${(Number(hex) + 500).toString(16)}`;
  let outcome: 'untouched' | 'changed' = 'untouched';
  for (const [i, { method, params }] of calls.entries()) {
    const { result } = replies[i];
    if (method === 'eth_blockNumber') replies[i].result = raise(result);
    else if (method !== 'eth_getBlockByNumber' || params[0] !== 'latest') continue;
    else replies[i].result = { ...result, number: raise(result.number), hash: `0x${'b'.repeat(64)}` };
    outcome = 'changed';
  }
  return outcome;
};

test.serial('a head that only one of three endpoints reports makes no block final', async (t) => {
  const [boaster, honest] = [await throughProxy(boasting), await throughProxy(() => 'untouched')];
  t.teardown(() => Promise.all([boaster.stop(), honest.stop()]));
  const database = await engine.open('boasted');
  const pipeline = startPipeline({
    database,
    urls: [boaster.url, chain.rpc.url, honest.url],
    verifyUrls: [chain.rpc.url],
    settings: { finalityDepth: 20 },
  });
  t.teardown(() => pipeline.stop());
  for (let round = 0; round < 4; round++) {
    await chain.mineLive(10);
    const newest = await headReader(chain)();
    await waitFor(async () => ((await pipeline.state())?.head ?? 0) >= newest, 60_000, 'the pipeline follows');
    const { finalized } = (await pipeline.state())!;
    t.true(finalized <= newest - 20, `${finalized} is final at block ${newest}`);
    t.is(pipeline.deps.metrics!.lateness(10_000), undefined, 'a block that does not exist is not a bad block');
  }
  t.true(boaster.injected() > 0);
});

/** @param place position of the endpoint that can switch to another branch; two others are honest */
async function startBesideFork(t: ExecutionContext, name: string, place: number) {
  const fork = await startForkView(faultless());
  const honest = await throughProxy(() => 'untouched');
  t.teardown(() => Promise.all([fork.stop(), honest.stop()]));
  const urls = [chain.rpc.url, honest.url].toSpliced(place, 0, fork.url);
  const database = await engine.open(name);
  const start = () => {
    const settings = { finalityDepth: 20, finalizedCheckMs: 200 };
    const pipeline = startPipeline({ database, urls, verifyUrls: [chain.rpc.url], settings });
    t.teardown(() => pipeline.stop());
    return pipeline;
  };
  const health = (pipeline: RunningPipeline) => pipeline.deps.client.health[place]!;
  return { fork, start, health };
}

test.serial(
  'one of three endpoints on another branch stops neither the catch-up nor the followed blocks',
  async (t) => {
    const { fork, start, health } = await startBesideFork(t, 'fork_while_away', 0);
    let pipeline = start();
    const before = await pipeline.caughtUp(headReader(chain), 30_000);
    await pipeline.stop();
    fork.forkFrom(before.head + 1);
    await chain.mineLive(170);
    pipeline = start();
    const after = await pipeline.caughtUp(headReader(chain), 60_000);
    t.true(after.finalized > before.head + 128, 'the missed blocks were fetched in ranges');
    t.false(health(pipeline).healthy);
    t.regex(health(pipeline).lastFault ?? '', /on this endpoint, but/);
    t.is(after.reorgGeneration, before.reorgGeneration, 'no followed block was replaced');
    t.deepEqual((await pipeline.verify({ baseOnly: true })).differences, []);

    fork.forkFrom(undefined);
    await waitFor(() => health(pipeline).healthy, 30_000, 'the endpoint counts again once it has the same blocks');
  },
);

test.serial('no block becomes final that two of three endpoints contradict', async (t) => {
  const { fork, start, health } = await startBesideFork(t, 'fork_ahead', 1);
  const pipeline = start();
  await pipeline.caughtUp(headReader(chain), 30_000);
  const honestHead = await headReader(chain)();
  fork.forkFrom(honestHead - 5);
  for (let i = 0; i < 60; i++) {
    await chain.mineLive(1);
    t.is((await pipeline.state())?.doubtedFrom, undefined, 'a final block was never another one');
  }
  await waitFor(
    async () => ((await pipeline.state())?.finalized ?? 0) > honestHead,
    30_000,
    'blocks of the majority become final',
  );
  await waitFor(() => !health(pipeline).healthy, 30_000, 'the endpoint on the other branch is marked');
  await pipeline.caughtUp(headReader(chain), 30_000);
  t.deepEqual((await pipeline.verify({ baseOnly: true })).differences, []);
});
