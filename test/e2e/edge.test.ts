/** JSON-RPC proxy and edge: bytes kept, writes to the writer alone, reads where they can be answered, subscriptions without a hole. */
import { connect } from 'node:net';
import test from 'ava';
import { WebSocket } from 'ws';
import { toQuantity } from '#chain/codec/hex.ts';
import { Fleet } from '#gateway/fleet.ts';
import { forwardRpc } from '#gateway/forward.ts';
import type { DevChain } from '#runtime/devchain/devchain.ts';
import { Random } from '#runtime/devchain/random.ts';
import { type RunningEdge, startEdge } from '#test/helpers/edge.ts';
import { type Fault, startFaultyProxy } from '#test/helpers/faulty-proxy.ts';
import { waitFor } from '#test/helpers/processes.ts';
import { headOf, startDevChain } from '#test/helpers/service.ts';
import { WebSocketProxy } from '#test/helpers/web-socket-proxy.ts';

let chain: DevChain;
let edge: RunningEdge;

test.before(async () => {
  chain = await startDevChain({ blocks: 30, seed: 5 });
  edge = await startEdge({ writerUrl: chain.rpc.url });
});

test.after.always(async () => {
  await edge?.stop();
  await chain?.stop();
});

const post = async (url: string, body: string) => {
  const reply = await fetch(url, { method: 'POST', body, headers: { 'content-type': 'text/plain' } });
  return { status: reply.status, text: await reply.text() };
};

/** A node that keeps what it was sent, and answers it back inside of a reply. */
const echo = async (reply: (body: string) => string, fault: Fault = () => 'untouched') => {
  const bodies: string[] = [];
  const proxy = await startFaultyProxy({
    ...{ target: chain.rpc.url, random: new Random(1), share: 1, budget: Number.POSITIVE_INFINITY },
    fault: (exchange) => {
      const outcome = fault(exchange);
      if (outcome !== 'untouched') return outcome;
      if (exchange.calls[0]?.method === 'eth_blockNumber') return 'untouched';
      bodies.push(exchange.body);
      exchange.response.writeHead(200, { 'content-type': 'application/json' }).end(reply(exchange.body));
      return 'answered';
    },
  });
  return { ...proxy, bodies };
};

test.serial('ids, numbers and unknown fields pass both ways as they are written', async (t) => {
  const answer =
    '{"jsonrpc":"2.0", "id": 12345678901234567890, "result":{"n":1.10,"big":98765432109876543210},"x":[ ]}';
  const upstream = await echo(() => answer);
  const fleet = new Fleet({ writerUrl: upstream.url, readUrls: [upstream.url] });
  const body =
    '{"id": 12345678901234567890,\n "method":"x_custom","params":[1.10, 1e400],"unknown":{"a":null}, "jsonrpc":"2.0"}';
  for (const target of ['proxy', 'writer', 'reads'] as const)
    t.is(String((await forwardRpc(fleet, target, body)).body), answer);
  t.deepEqual(upstream.bodies, [body, body, body]);
  await fleet.close();
  await upstream.stop();
});

test.serial('what is no request, or not offered, is refused in JSON-RPC', async (t) => {
  const ask = async (body: string) => {
    const { status, text } = await post(edge.origin, body);
    return [status, JSON.parse(text)];
  };
  t.like(await ask('{'), [400, { error: { code: -32700 } }] as never);
  t.like(await ask('[]'), [400, { error: { code: -32600 } }] as never);
  t.like(await ask('7'), [400, { error: { code: -32600 } }] as never);
  const [status, reply] = await ask('{"jsonrpc":"2.0","id":"a\\u0041","method":"anvil_mine","params":[]}');
  t.is(status, 200);
  t.like(reply, { id: 'aA', error: { code: -32601 } });
  for (const twice of [
    '"method":"eth_chainId","method":"eth_sendRawTransaction"',
    '"method":"eth_chainId","METHOD":"eth_sendRawTransaction"',
    '"method":"eth_chainId","meth\\u006fd":"eth_sendRawTransaction"',
  ])
    t.like((await ask(`{"id":1,${twice}}`))[1], { error: { code: -32600 } });
  const [, mixed] = await ask(
    '[{"jsonrpc":"2.0","id":1,"method":"eth_chainId"},{"jsonrpc":"2.0","id":2,"method":"debug_x"}]',
  );
  t.deepEqual(
    mixed.map((one: { id: number; result?: string }) => [one.id, one.result]),
    [
      [1, '0x425d4'],
      [2, undefined],
    ],
  );
  const call = (i: number) => `{"jsonrpc":"2.0","id":${i},"method":"eth_chainId"}`;
  t.is((await ask(`[${Array.from({ length: 101 }, (_, i) => call(i)).join(',')}]`))[0], 400);
  t.is((await post(edge.origin, `{"id":1,"method":"eth_chainId","x":"${'y'.repeat(1 << 20)}"}`)).status, 413);
});

test.serial(
  'the read pool refuses writes with 405 and -32601, inside a batch too, and carries nothing out',
  async (t) => {
    const write = '{"jsonrpc":"2.0","id":"w","method":"eth_sendRawTransaction","params":["0x00"]}';
    const single = await post(`${edge.origin}/v1/read`, write);
    t.is(single.status, 405);
    t.like(JSON.parse(single.text), { id: 'w', error: { code: -32601 } });
    const batch = await post(
      `${edge.origin}/v1/read`,
      `[{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"},${write}]`,
    );
    t.is(batch.status, 405);
    t.deepEqual(
      JSON.parse(batch.text).map((one: { id: unknown; error: { code: number } }) => [one.id, one.error.code]),
      [
        [1, -32600],
        ['w', -32601],
      ],
    );
    t.is((await post(edge.origin, write)).status, 200, 'the writer answers itself');
    const mirror = await startEdge({ writerUrl: chain.rpc.url, isReadOnly: true });
    t.is((await post(mirror.origin, write)).status, 405);
    await mirror.stop();
  },
);

test.serial('reads go on where a node fails; a transaction is sent once', async (t) => {
  const broken = await echo(
    () => '',
    ({ response }) => {
      response.writeHead(502).end();
      return 'answered';
    },
  );
  let writes = 0;
  const counting = await echo(
    () => '',
    ({ calls, response }) => {
      if (calls[0]?.method !== 'eth_sendRawTransaction') return 'untouched';
      writes++;
      response.destroy();
      return 'answered';
    },
  );
  const fleet = new Fleet({ writerUrl: counting.url, readUrls: [broken.url, chain.rpc.url] });
  for (const target of ['reads', 'proxy'] as const)
    for (let i = 0; i < 4; i++) {
      const reply = await forwardRpc(fleet, target, '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}');
      t.deepEqual([reply.status, JSON.parse(String(reply.body)).result], [200, '0x425d4']);
    }
  const sent = await forwardRpc(
    fleet,
    'proxy',
    '{"jsonrpc":"2.0","id":1,"method":"eth_sendRawTransaction","params":["0x01"]}',
  );
  t.is(sent.status, 502);
  t.like(JSON.parse(String(sent.body)), { id: 1, error: { code: -32603 } });
  t.is(writes, 1);
  await fleet.close();
  await Promise.all([broken.stop(), counting.stop()]);
});

test.serial('a node that lags leaves the rotation, and the status says so', async (t) => {
  const lagging = await startFaultyProxy({
    ...{ target: chain.rpc.url, random: new Random(1), share: 1, budget: Number.POSITIVE_INFINITY },
    fault: ({ calls, replies }) => {
      if (calls[0]?.method !== 'eth_blockNumber') return 'untouched';
      replies[0].result = '0x1';
      return 'changed';
    },
  });
  const own = await startEdge({ writerUrl: chain.rpc.url, readUrls: [lagging.url, chain.rpc.url] });
  const status = (await (await fetch(`${own.origin}/v1/fleet-status`)).json()) as {
    readPool: { state: string; lagBlocks: number }[];
    writer: { state: string };
  };
  t.is(status.writer.state, 'ok');
  t.deepEqual(
    status.readPool.map((one) => one.state),
    ['out', 'ok'],
  );
  for (let i = 0; i < 4; i++) {
    const { text } = await post(`${own.origin}/v1/read`, '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}');
    t.true(Number(JSON.parse(text).result) > 1);
  }
  for (const path of ['healthz', 'readyz']) t.is((await fetch(`${own.origin}/${path}`)).status, 200);
  const metrics = await (await fetch(`${own.origin}/metrics`)).text();
  t.regex(metrics, /^cordscan_edge_node_available\{node="1",host="[\d.:]+",role="reader"\} 0$/m);
  t.regex(metrics, /^cordscan_edge_request_duration_seconds_count\{target="reads",status="200"\} 4$/m);
  await own.stop();
  await lagging.stop();
});

/** Messages of a subscription as they come. */
async function subscribe(url: string, params: unknown[]) {
  const socket = new WebSocket(url);
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  // biome-ignore lint/suspicious/noExplicitAny: events of the node
  const events: any[] = [];
  let isSubscribed = false;
  socket.on('message', (data) => {
    const message = JSON.parse(data.toString());
    if (message.id === 1) isSubscribed = message.result !== undefined;
    if (message.method === 'eth_subscription') events.push(message.params.result);
  });
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params }));
  await waitFor(async () => isSubscribed, 30_000, 'the subscription is confirmed');
  return { socket, events };
}

test.serial('subscriptions go on over a loss of the node: every head and log once, in order', async (t) => {
  const gate = await WebSocketProxy.start(chain.rpc.url.replace('http', 'ws'));
  const own = await startEdge({ writerUrl: chain.rpc.url, wsUrl: gate.url });
  const heads = await subscribe(own.wsUrl, ['newHeads']);
  const logs = await subscribe(own.wsUrl, ['logs', {}]);
  const before = Number(await chain.rpc.call('eth_blockNumber', []));
  await chain.mineLive(3);
  await waitFor(async () => heads.events.length === 3, 30_000, 'three heads');
  gate.cut();
  await chain.mineLive(4);
  await waitFor(async () => heads.events.length === 7, 30_000, 'the missed heads');
  await chain.mineLive(2);
  await waitFor(async () => heads.events.length >= 9, 30_000, 'new heads');
  gate.cut();
  await chain.reorg(3);
  await chain.mineLive(1);
  const top = Number(await chain.rpc.call('eth_blockNumber', []));
  await waitFor(async () => Number(heads.events.at(-1)?.number) === top, 30_000, 'the head after the reorg');
  t.deepEqual(
    heads.events.slice(0, 9).map((head) => Number(head.number)),
    Array.from({ length: 9 }, (_, i) => before + 1 + i),
  );
  const hashes = new Map(heads.events.map((head) => [Number(head.number), head.hash]));
  for (let number = before + 1; number <= top; number++) {
    const block = await chain.rpc.call<{ hash: string }>('eth_getBlockByNumber', [`0x${number.toString(16)}`, false]);
    t.is(hashes.get(number), block.hash, `block ${number}`);
  }
  const expected = await chain.rpc.call<{ blockHash: string; logIndex: string }[]>('eth_getLogs', [
    { fromBlock: `0x${(before + 1).toString(16)}`, toBlock: 'latest' },
  ]);
  const keys = logs.events.filter((log) => !log.removed).map((log) => `${log.blockHash}:${log.logIndex}`);
  t.is(new Set(keys).size, keys.length, 'no log twice');
  for (const log of expected) t.true(keys.includes(`${log.blockHash}:${log.logIndex}`));
  heads.socket.close();
  logs.socket.close();
  await own.stop();
  await gate.stop();
});

test.serial('a refused upgrade, reset by its client, harms nobody', async (t) => {
  const { port } = new URL(edge.origin);
  for (let i = 0; i < 20; i++) {
    const socket = connect(Number(port), '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.write('GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    socket.resetAndDestroy();
  }
  await new Promise((resolve) => setTimeout(resolve, 100));
  t.is((await fetch(`${edge.origin}/healthz`)).status, 200);
});

test.serial('log filters select, calls pass, unsubscribing ends it', async (t) => {
  const all = await subscribe(edge.wsUrl, ['logs', {}]);
  await chain.mineLive(2);
  await waitFor(async () => all.events.length > 0, 30_000, 'logs');
  const { address, topics } = all.events[0];
  const some = await subscribe(edge.wsUrl, [
    'logs',
    { address: [address], topics: [[topics[0], `0x${'0'.repeat(64)}`]] },
  ]);
  const before = await headOf(chain)();
  await chain.mineLive(4);
  const behind = (log: { blockNumber: string }) => Number(log.blockNumber) > before;
  const mined = await chain.rpc.call<unknown[]>('eth_getLogs', [{ fromBlock: toQuantity(before + 1) }]);
  await waitFor(() => all.events.filter(behind).length >= mined.length, 30_000, 'all logs of four blocks');
  const wanted = all.events.filter((log) => behind(log) && log.address === address && log.topics[0] === topics[0]);
  t.true(wanted.length < mined.length);
  await waitFor(() => some.events.filter(behind).length >= wanted.length, 30_000, 'the selected ones of them');
  t.deepEqual(some.events.filter(behind), wanted);
  const answers: string[] = [];
  some.socket.on('message', (data) => answers.push(data.toString()));
  some.socket.send('{"jsonrpc":"2.0","id":9007199254740993,"method":"eth_chainId"}');
  some.socket.send('{"jsonrpc":"2.0","id":3,"method":"eth_subscribe","params":["syncing"]}');
  some.socket.send('nonsense');
  await waitFor(async () => answers.length >= 3, 30_000, 'answers');
  t.true(answers.some((answer) => answer.includes('9007199254740993') && answer.includes('0x425d4')));
  t.true(answers.some((answer) => answer.includes('-32602')) && answers.some((answer) => answer.includes('-32700')));
  all.socket.close();
  some.socket.close();
});
