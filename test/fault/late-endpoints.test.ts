/** Nodes that answer only after the start of the pipeline. */
import { createServer } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import pino from 'pino';
import { admitNodes } from '#api/read/chain/admit-nodes.ts';
import { RpcClient } from '#chain/rpc/rpc-client.ts';
import { pause } from '#runtime/shutdown.ts';
import { freePort, waitFor } from '#test/helpers/processes.ts';
import { headReader, startDevChain, startPipeline, startTestEngine, type TestEngine } from '#test/helpers/service.ts';

const identity = { chainId: 271828, genesisHash: undefined };
let engine: TestEngine;

test.before(async () => {
  engine = await startTestEngine();
});

test.after.always(() => engine?.stop());

/** Reserves a URL that refuses connections until `start` forwards it to a node. */
async function reserveUrl(t: ExecutionContext) {
  const port = await freePort();
  const methods: string[] = [];
  let target = '';
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    for (const { method } of [JSON.parse(body.toString())].flat()) methods.push(method);
    const reply = await fetch(target, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
    response.end(await reply.text());
  });
  t.teardown(() => server.closeAllConnections());
  t.teardown(() => server.close());
  return {
    url: `http://127.0.0.1:${port}`,
    methods,
    setTarget: (url: string) => {
      target = url;
    },
    start: () => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve)),
  };
}

test('a node that answers later is used only while it serves the same chain, and the pipeline continues', async (t) => {
  const [chain, other] = [
    await startDevChain({ blocks: 40, seed: 3 }),
    await startDevChain({ blocks: 60, seed: 4, genesisTime: 1_600_000_000 }),
  ];
  t.teardown(() => Promise.all([chain.stop(), other.stop()]));
  const late = await reserveUrl(t);
  const events: { event: string; error?: string }[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void events.push(JSON.parse(line)) });
  const count = (name: string) => events.filter(({ event }) => event === name).length;
  const database = await engine.open('late_endpoints');
  const settings = { finalizedCheckMs: 200, auditEveryMs: 500 };
  const pipeline = startPipeline({ database, urls: [chain.rpc.url, late.url], log, settings });
  t.teardown(() => pipeline.stop());
  await pipeline.caughtUp(headReader(chain));
  t.is(count('endpoint_unreachable'), 1);

  late.setTarget(other.rpc.url);
  await late.start();
  await waitFor(() => count('endpoint_refused') === 1, 20_000, 'the refusal of the other chain');
  t.regex(
    events.find(({ event }) => event === 'endpoint_refused')?.error ?? '',
    /serves genesis 0x[0-9a-f]{64}, expected/,
  );
  await chain.mineLive(25);
  await pipeline.caughtUp(headReader(chain));
  await waitFor(() => late.methods.length >= 8, 20_000, 'further checks');
  t.deepEqual([...new Set(late.methods)].sort(), ['eth_chainId', 'eth_getBlockByNumber'], 'only the check uses it');
  t.is(count('endpoint_refused'), 1, 'logged once');
  t.is((await pipeline.state())?.doubtedFrom, undefined, 'it has no vote');
  t.is(pipeline.failure(), undefined);
  t.false(pipeline.deps.client.health[1]?.healthy);

  late.setTarget(chain.rpc.url);
  await waitFor(() => count('endpoint_checked') === 1, 20_000, 'the check of the right chain');
  await waitFor(() => late.methods.includes('eth_blockNumber'), 20_000, 'its use');
  await waitFor(() => pipeline.deps.client.health[1]?.healthy === true, 20_000, 'its health');
  await chain.mineLive(2);
  await pipeline.caughtUp(headReader(chain));
});

test('the API sends requests to a node only after it was found to serve the indexed chain', async (t) => {
  const [chain, other] = [
    await startDevChain({ blocks: 3, seed: 3 }),
    await startDevChain({ blocks: 5, seed: 4, genesisTime: 1_600_000_000 }),
  ];
  t.teardown(() => Promise.all([chain.stop(), other.stop()]));
  const database = await engine.open('admitted_nodes');
  const late = await reserveUrl(t);
  late.setTarget(other.rpc.url);
  await late.start();
  const client = new RpcClient({ urls: [late.url], timeoutMs: 5_000, maxInFlight: 4 });
  const stop = new AbortController();
  const readHead = () => client.call<string>('eth_blockNumber', [], { retries: 0 });
  const admission = admitNodes({ client, database, log: pino({ level: 'silent' }) }, identity, stop.signal);
  t.teardown(async () => {
    stop.abort();
    await admission;
    await client.close();
  });
  await t.throwsAsync(readHead, { message: /not checked yet/ }, 'the indexed chain is still unknown');
  await pause(600); // longer than several looks for it
  t.deepEqual(late.methods, [], 'a hash from now could be outdated then');

  const pipeline = startPipeline({ database, urls: [chain.rpc.url] });
  t.teardown(() => pipeline.stop());
  await pipeline.caughtUp(headReader(chain));
  await waitFor(() => client.health[0]?.lastFault?.includes('serves genesis') === true, 20_000, 'the refusal');
  await t.throwsAsync(readHead, { message: /serves genesis/ });
  t.false(client.health[0]?.healthy);
  t.false(late.methods.includes('eth_blockNumber'));

  late.setTarget(chain.rpc.url);
  await admission;
  t.is(Number(await readHead()), 3);
});
