import test from 'ava';
import { RpcClient } from '#chain/rpc/rpc-client.ts';
import { Random } from '#devchain/random.ts';
import { verifyChain } from '#pipeline/verify/verify-chain.ts';
import { pause } from '#runtime/shutdown.ts';
import { type Exchange, type Fault, startFaultyProxy } from '#test/helpers/faulty-proxy.ts';
import { waitFor } from '#test/helpers/processes.ts';
import { headReader, startApi, startDevChain, startPipeline, startTestEngine } from '#test/helpers/service.ts';
import { callTracerFaults } from '#test/helpers/trace-faults.ts';

test('by default traces are optional: a node without them, or a silent one, delays no block', async (t) => {
  const own = await startDevChain({ blocks: 40, seed: 33 });
  const engine = await startTestEngine();
  const database = await engine.open('auto');
  const quiet = { target: own.rpc.url, random: new Random(1), share: 1, budget: 1_000_000 };
  const proxy = await startFaultyProxy({ ...quiet, fault: callTracerFaults['trace_method_missing']! });
  const settings = { traces: 'auto', quarantinedRetryMs: 100, jobsEveryMs: 50 } as const;
  let pipeline = startPipeline({ database, urls: [proxy.url], verifyUrls: [own.rpc.url], settings });
  const api = await startApi(database, [proxy.url]);
  t.teardown(async () => {
    await pipeline.stop();
    await api.stop();
    await proxy.stop();
    await own.stop();
    await engine.stop();
  });
  const traces = async () => (await api.get('/api/v1/status')).body.pipeline.traces;
  await pipeline.caughtUp(headReader(own));
  await waitFor(async () => (await traces()) === 'unsupported', 20_000, 'no node traces');

  await pipeline.stop();
  const isTrace = ({ calls }: Exchange) => calls.some(({ method }) => /trace/.test(method));
  const silent: Fault = async (exchange): Promise<'untouched'> => {
    if (isTrace(exchange)) await pause(30_000);
    return 'untouched';
  };
  proxy.setFault(silent);
  pipeline = startPipeline({ database, urls: [proxy.url], verifyUrls: [own.rpc.url], settings });
  await own.mineLive(3);
  const startedAt = Date.now();
  await pipeline.caughtUp(headReader(own));
  t.true(Date.now() - startedAt < 15_000, 'new blocks are stored without their traces');

  proxy.setFault((exchange) => {
    if (!isTrace(exchange)) return 'untouched';
    for (const reply of exchange.replies) reply.result = [];
    return 'changed';
  });
  await own.mineLive(3);
  await pipeline.caughtUp(headReader(own));
  t.is(pipeline.deps.client.health[0]!.lastFault, undefined, 'a node with wrong traces serves blocks as before');

  proxy.setFault(null);
  await pipeline.stop();
  pipeline = startPipeline({ database, urls: [proxy.url], verifyUrls: [own.rpc.url], settings });
  await waitFor(async () => (await traces()) === 'indexed', 20_000, 'the node traces');

  const client = new RpcClient({ urls: [proxy.url], timeoutMs: 5_000, maxInFlight: 4 });
  t.teardown(() => client.close());
  const verify = () => verifyChain({ client, database, signal: new AbortController().signal }, { traces: 'auto' });
  t.is((await verify()).untraced, 0);
  proxy.setFault(callTracerFaults['trace_method_missing']!);
  const report = await verify();
  t.true(report.untraced >= 40, 'stored calls that no node can repeat were not compared');
  t.is(report.calls, 0);
});
