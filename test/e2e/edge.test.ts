import { EventEmitter, once, setMaxListeners } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import test from 'ava';
import WebSocket from 'ws';
import type { DevChain } from '#devchain/devchain.ts';
import { limitMessages } from '#edge/message-limit.ts';
import { countedCaller, forwardRpc } from '#gateway/forward.ts';
import { Upstreams } from '#gateway/upstreams.ts';
import { pause } from '#runtime/shutdown.ts';
import { type RunningEdge, startEdge } from '#test/helpers/edge.ts';
import { type Fault, startFaultyNode, startStuckNode } from '#test/helpers/faulty-proxy.ts';
import { startDevChain } from '#test/helpers/service.ts';

let chain: DevChain;
let edge: RunningEdge;

const { signal: undelivered } = new AbortController();
setMaxListeners(0, undelivered);
const caller = countedCaller('test', undelivered);

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

const echo = async (reply: (body: string) => string, fault: Fault = () => 'untouched') => {
  const bodies: string[] = [];
  const proxy = await startFaultyNode(chain.rpc.url, (exchange) => {
    const outcome = fault(exchange);
    if (outcome !== 'untouched') return outcome;
    if (exchange.calls[0]?.method === 'eth_blockNumber') return 'untouched';
    bodies.push(exchange.body);
    exchange.response.writeHead(200, { 'content-type': 'application/json' }).end(reply(exchange.body));
    return 'answered';
  });
  return { ...proxy, bodies };
};

test.serial('proxy keeps ids, numbers and unknown fields unchanged in both directions', async (t) => {
  const answer =
    '{"jsonrpc":"2.0", "id": 12345678901234567890, "result":{"n":1.10,"big":98765432109876543210},"x":[ ]}';
  const upstream = await echo(() => answer);
  const upstreams = new Upstreams({ writerUrl: upstream.url, readUrls: [upstream.url] });
  const body =
    '{"id": 12345678901234567890,\n "method":"x_custom","params":[1.10, 1e400],"unknown":{"a":null}, "jsonrpc":"2.0"}';
  for (const target of ['proxy', 'writer', 'reads'] as const)
    t.is(String((await forwardRpc(upstreams, target, body, caller)).body), answer);
  t.deepEqual(upstream.bodies, [body, body, body]);
  await upstreams.close();
  await upstream.stop();
});

test.serial('edge rejects invalid requests and unsupported methods with JSON-RPC errors', async (t) => {
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

test.serial('read pool rejects writes with 405 and -32601, also in a batch, and executes nothing', async (t) => {
  const write = '{"jsonrpc":"2.0","id":"w","method":"eth_sendRawTransaction","params":["0x00"]}';
  const single = await post(`${edge.origin}/v1/read`, write);
  t.is(single.status, 405);
  t.like(JSON.parse(single.text), { id: 'w', error: { code: -32601 } });
  const batch = await post(`${edge.origin}/v1/read`, `[{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"},${write}]`);
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
});

test.serial('proxy retries reads when a node fails, and sends a transaction once', async (t) => {
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
  const upstreams = new Upstreams({ writerUrl: counting.url, readUrls: [broken.url, chain.rpc.url] });
  for (const target of ['reads', 'proxy'] as const)
    for (let i = 0; i < 4; i++) {
      const reply = await forwardRpc(upstreams, target, '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}', caller);
      t.deepEqual([reply.status, JSON.parse(String(reply.body)).result], [200, '0x425d4']);
    }
  const sent = await forwardRpc(
    upstreams,
    'proxy',
    '{"jsonrpc":"2.0","id":1,"method":"eth_sendRawTransaction","params":["0x01"]}',
    caller,
  );
  t.is(sent.status, 502);
  const { id, error } = JSON.parse(String(sent.body));
  t.deepEqual([id, error.code], [1, -32603]);
  t.regex(error.message, /the transaction may have been sent/);
  t.is(writes, 1);
  await upstreams.close();
  await Promise.all([broken.stop(), counting.stop()]);
});

test.serial('proxy drops a lagging node from the rotation and reports it in the status', async (t) => {
  const lagging = await startStuckNode(chain.rpc.url);
  const own = await startEdge({ writerUrl: chain.rpc.url, readUrls: [lagging.url, chain.rpc.url] });
  const strange = await fetch(`${own.origin}/v1/fleet-status`, { headers: { 'x-forwarded-for': '198.51.100.7' } });
  t.notRegex(await strange.text(), /127\.0\.0\.1|localhost|:\d{4,5}"/, 'strangers are told no hosts');
  const hidden = await fetch(`${own.origin}/metrics`, { headers: { 'x-forwarded-for': '198.51.100.7' } });
  t.is(hidden.status, 404);
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

test.serial('reads go to the writer if all nodes of the read pool lag, also over WebSocket', async (t) => {
  const lagging = await startStuckNode(chain.rpc.url);
  const own = await startEdge({ writerUrl: chain.rpc.url, readUrls: [lagging.url] });
  t.teardown(() => Promise.all([own.stop(), lagging.stop()]));
  const body = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}';
  t.is(Number(JSON.parse((await post(`${own.origin}/v1/read`, body)).text).result), 30);
  const socket = new WebSocket(`${own.wsUrl}/v1/read`);
  await once(socket, 'open');
  socket.send(body);
  const [reply] = await once(socket, 'message');
  t.is(Number(JSON.parse(String(reply)).result), 30);
  socket.terminate();
});

test.serial('edge survives a client that resets a rejected upgrade', async (t) => {
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

test.serial('a request that offers HTTP/2 is answered as any other', async (t) => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'eth_chainId', params: [] });
  const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQAAP__' };
  const text = await new Promise<string>((resolve, reject) => {
    const sent = request(edge.origin, { method: 'POST', agent: false, headers: { ...headers, 'x-note': 'kept' } });
    sent.on('response', async (reply) => resolve(`${reply.statusCode} ${(await reply.toArray()).join('')}`));
    sent.on('error', reject).end(body);
  });
  t.is(text, '200 {"jsonrpc":"2.0","id":7,"result":"0x425d4"}');
});

test.serial('messages that clients do not end take few places, and none for ever', async (t) => {
  const open = async () => {
    const socket = new WebSocket(edge.wsUrl);
    t.teardown(() => socket.terminate());
    await once(socket, 'open');
    return socket;
  };
  const start = '{"jsonrpc":"2.0","id":8,"method":"eth_chainId","params":[]'.padEnd(70_000);
  const begin = (socket: WebSocket) => socket.send(start, { fin: false });
  const holders = await Promise.all(Array.from({ length: 8 }, open));
  for (const holder of holders) begin(holder);
  await pause(300);
  const further = await open();
  const ended = once(further, 'close');
  begin(further);
  await ended;
  const [first] = holders as [WebSocket];
  t.true(holders.every(({ readyState }) => readyState === WebSocket.OPEN));
  const answer = once(first, 'message');
  first.send('}', { fin: true });
  t.is(String((await answer)[0]), '{"jsonrpc":"2.0","id":8,"result":"0x425d4"}');
  const next = await open();
  begin(next);
  await pause(300);
  t.is(next.readyState, WebSocket.OPEN, 'the ended message has left its place');
});

test('a large message must end in time, and control frames do not count', async (t) => {
  const connection = new PassThrough().on('data', () => {});
  const events = Object.assign(new EventEmitter(), { close: () => void events.emit('close') });
  let [taken, released, closed] = [0, 0, 0];
  events.on('close', () => closed++);
  const take = () => {
    taken++;
    return () => void released++;
  };
  limitMessages(events as unknown as WebSocket, connection, take, 50);
  const receive = async (bytes: number, frame?: 'ping' | 'message') => {
    connection.write(Buffer.alloc(bytes));
    await pause(1);
    if (frame) events.emit(frame, Buffer.alloc(bytes - 6));
  };
  for (let i = 0; i < 1_000; i++) connection.emit('data', Buffer.alloc(106)) && events.emit('ping', Buffer.alloc(100));
  await receive(60_000, 'message');
  await receive(60_000, 'message');
  t.deepEqual([taken, released, closed], [0, 0, 0]);
  await receive(60_000);
  await receive(60_000);
  t.deepEqual([taken, released], [1, 0]);
  await pause(200);
  t.deepEqual([taken, released, closed], [1, 1, 1]);
});
