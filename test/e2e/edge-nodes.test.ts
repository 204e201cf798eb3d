import test from 'ava';
import { WebSocket } from 'ws';
import { toQuantity } from '#chain/codec/hex.ts';
import type { DevChain } from '#devchain/devchain.ts';
import { type Topic, UpstreamEvents } from '#edge/upstream-events.ts';
import { countedCaller, forwardRpc } from '#gateway/forward.ts';
import { Upstreams } from '#gateway/upstreams.ts';
import { silentLog } from '#runtime/log.ts';
import { startEdge } from '#test/helpers/edge.ts';
import { startFaultyNode, startStuckNode } from '#test/helpers/faulty-proxy.ts';
import { waitFor } from '#test/helpers/processes.ts';
import { headReader, startDevChain } from '#test/helpers/service.ts';
import { WebSocketProxy } from '#test/helpers/web-socket-proxy.ts';

let chain: DevChain;

test.before(async () => {
  chain = await startDevChain({ blocks: 12, seed: 7 });
});

test.after.always(() => chain?.stop());

const isHead = (text: string) => text.includes('"parentHash"');
const webSocketUrl = () => chain.rpc.url.replace('http', 'ws');

async function receive(
  gate: WebSocketProxy,
  topics: readonly Topic[],
  limits?: ConstructorParameters<typeof UpstreamEvents>[4],
  writerUrl = chain.rpc.url,
) {
  const stopping = new AbortController();
  const upstreams = new Upstreams({ writerUrl, readUrls: [chain.rpc.url] });
  await upstreams.probe();
  const watching = upstreams.watch(stopping.signal);
  const events = new UpstreamEvents(gate.url, upstreams, silentLog, stopping.signal, limits);
  await waitFor(() => events.isConnected, 10_000, 'the connection to the node');
  // biome-ignore lint/suspicious/noExplicitAny: events of the node
  const seen = new Map<Topic, any[]>(topics.map((topic) => [topic, []]));
  for (const topic of topics)
    await events.listen(topic, {
      onEvent: (_, value) => void seen.get(topic)?.push(value),
      isUsed: () => true,
      onRefused: () => {},
    });
  const stop = async () => {
    stopping.abort();
    await watching;
    await upstreams.close();
    await gate.stop();
  };
  return {
    hashes: () => (seen.get('newHeads') ?? []).map(({ hash }) => hash),
    heads: () => (seen.get('newHeads') ?? []).map(({ number }) => Number(number)),
    logs: seen.get('logs') ?? [],
    stop,
  };
}

const numbersAfter = (block: number, count: number) => Array.from({ length: count }, (_, i) => block + 1 + i);

for (const [source, writerUrl] of [
  ['the writer', () => chain.rpc.url],
  ['the node itself if the writer is away', () => 'http://127.0.0.1:9'],
] as const)
  test.serial(`heads and logs that a node leaves out are read from ${source}, in order`, async (t) => {
    const gate = await WebSocketProxy.start(webSocketUrl());
    const { heads, logs, stop } = await receive(gate, ['newHeads', 'logs'], undefined, writerUrl());
    const before = await headReader(chain)();
    await chain.mineLive(2);
    await waitFor(() => heads().length === 2, 10_000, 'two heads');
    gate.drops = (text) => isHead(text) || text.includes('"logIndex"');
    await chain.mineLive(3);
    gate.drops = () => false;
    await chain.mineLive(1);
    await waitFor(() => heads().length >= 6, 10_000, 'all heads');
    t.deepEqual(heads(), numbersAfter(before, 6));
    const expected = await chain.rpc.call<unknown[]>('eth_getLogs', [{ fromBlock: `0x${(before + 1).toString(16)}` }]);
    await waitFor(() => logs.length >= expected.length, 10_000, 'all logs');
    t.is(new Set(logs.map(({ blockHash, logIndex }) => `${blockHash} ${logIndex}`)).size, expected.length);
    await stop();
  });

test.serial('a replaced block is sent although the node announces only the block after it', async (t) => {
  const gate = await WebSocketProxy.start(webSocketUrl());
  const { hashes, stop } = await receive(gate, ['newHeads']);
  await chain.mineLive(1);
  await waitFor(() => hashes().length === 1, 10_000, 'a head');
  gate.drops = isHead;
  const height = await headReader(chain)();
  await chain.rpc.call('anvil_reorg', [1, []]);
  await waitFor(async () => (await readHash(height)) !== hashes()[0], 10_000, 'the reorg');
  await new Promise((resolve) => setTimeout(resolve, 500)); // the node may announce the block after it has it
  gate.drops = () => false;
  await chain.mineLive(1);
  await waitFor(() => hashes().length >= 3, 10_000, 'both heads');
  t.deepEqual(hashes().slice(1), [await readHash(height), await readHash(height + 1)]);
  await stop();
});

test.serial('a replaced block is sent although the writer learns of it later than the node', async (t) => {
  const gate = await WebSocketProxy.start(webSocketUrl());
  const height = (await headReader(chain)()) + 1;
  let old: unknown;
  const late = await startFaultyNode(chain.rpc.url, ({ calls, replies }) => {
    if (!old || calls[0]?.method !== 'eth_getBlockByNumber' || Number(calls[0].params[0]) < height) return 'untouched';
    replies[0].result = Number(calls[0].params[0]) === height ? old : null;
    return 'changed';
  });
  const { hashes, stop } = await receive(gate, ['newHeads'], undefined, late.url);
  await chain.mineLive(1);
  await waitFor(() => hashes().length === 1, 10_000, 'a head');
  const before = await chain.rpc.call<{ hash: string }>('eth_getBlockByNumber', [toQuantity(height), false]);
  old = before;
  gate.drops = isHead;
  await chain.rpc.call('anvil_reorg', [1, []]);
  await waitFor(async () => (await readHash(height)) !== before.hash, 10_000, 'the reorg');
  await new Promise((resolve) => setTimeout(resolve, 500)); // the node may announce the block after it has it
  gate.drops = () => false;
  await chain.mineLive(1);
  await new Promise((resolve) => setTimeout(resolve, 700));
  t.deepEqual(hashes(), [before.hash], 'nothing is sent on the replaced block');
  old = undefined;
  await waitFor(() => hashes().length >= 3, 20_000, 'both heads');
  t.deepEqual(hashes().slice(1), [await readHash(height), await readHash(height + 1)]);
  await stop();
  await late.stop();
});

const readHash = async (block: number) =>
  (await chain.rpc.call<{ hash: string }>('eth_getBlockByNumber', [`0x${block.toString(16)}`, false])).hash;

test.serial('a node that sends no more heads is connected again, and the missed ones are sent', async (t) => {
  const gate = await WebSocketProxy.start(webSocketUrl());
  const { heads, stop } = await receive(gate, ['newHeads'], { maxSilenceMs: 500, checkEveryMs: 50 });
  const before = await headReader(chain)();
  await chain.mineLive(1);
  await waitFor(() => heads().length === 1, 10_000, 'a head');
  gate.drops = isHead;
  await chain.mineLive(5);
  await waitFor(() => heads().length === 6, 20_000, 'the heads that the node did not send');
  t.deepEqual(heads(), numbersAfter(before, 6));
  await stop();
});

test.serial(
  'a node that sends no head from the start on is connected again, and the missed ones are sent',
  async (t) => {
    const gate = await WebSocketProxy.start(webSocketUrl());
    const { heads, stop } = await receive(gate, ['newHeads'], { maxSilenceMs: 500, checkEveryMs: 50 });
    await new Promise((resolve) => setTimeout(resolve, 500)); // the connection begins at the newest block
    const before = await headReader(chain)();
    gate.drops = isHead;
    await chain.mineLive(5);
    await waitFor(() => heads().length === 5, 20_000, 'the heads that the node did not send');
    t.deepEqual(heads(), numbersAfter(before, 5));
    await stop();
  },
);

test.serial('events come only from a node with the expected genesis', async (t) => {
  const gate = await WebSocketProxy.start(webSocketUrl());
  t.teardown(() => gate.stop());
  for (const genesisHash of [await readHash(0), `0x${'1'.repeat(64)}`]) {
    const stopping = new AbortController();
    t.teardown(() => stopping.abort());
    const upstreams = new Upstreams({ writerUrl: chain.rpc.url, readUrls: [chain.rpc.url], genesisHash });
    t.teardown(() => upstreams.close());
    const events = new UpstreamEvents(gate.url, upstreams, silentLog, stopping.signal);
    const connects = waitFor(() => events.isConnected, 2_000, 'the connection to the node');
    if (genesisHash.startsWith('0x1111')) await t.throwsAsync(connects);
    else await t.notThrowsAsync(connects);
  }
});

test.serial('clients are disconnected if a node rejects their events after a reconnection', async (t) => {
  let refuses = false;
  const gate = await WebSocketProxy.start(webSocketUrl(), (text) =>
    refuses && text.includes('["logs"') ? text.replace('["logs"', '["no such topic"') : text,
  );
  const edge = await startEdge({ writerUrl: chain.rpc.url, wsUrl: gate.url });
  const subscribe = async (topic: string) => {
    const socket = new WebSocket(edge.wsUrl);
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    const confirmed = new Promise((resolve) => socket.once('message', resolve));
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: [topic] }));
    await confirmed;
    return socket;
  };
  const [logs, heads] = [await subscribe('logs'), await subscribe('newHeads')];
  const closed = new Promise<number>((resolve) => logs.once('close', resolve));
  refuses = true;
  gate.cut();
  t.is(await closed, 1013, 'the client knows that it must subscribe again');
  const next = new Promise((resolve) => heads.once('message', resolve));
  await chain.mineLive(1);
  await next;
  t.is(heads.readyState, WebSocket.OPEN);
  heads.close();
  await edge.stop();
  await gate.stop();
});

test.serial('reads avoid a writer that answers but imports no blocks', async (t) => {
  const stuck = await startStuckNode(chain.rpc.url);
  await chain.mineLive(15);
  const upstreams = new Upstreams({ writerUrl: stuck.url, readUrls: [stuck.url, chain.rpc.url] });
  await upstreams.probe();
  t.is(upstreams.getState(upstreams.writer), 'out');
  const caller = countedCaller('test', new AbortController().signal);
  for (const target of ['proxy', 'reads'] as const)
    for (let i = 0; i < 2; i++) {
      const { body } = await forwardRpc(
        upstreams,
        target,
        '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}',
        caller,
      );
      t.true(Number(JSON.parse(String(body)).result) > 1, target);
    }
  await upstreams.close();
  await stuck.stop();
});
