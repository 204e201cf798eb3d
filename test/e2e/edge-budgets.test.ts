import { request as begin, type ClientRequest, type IncomingMessage } from 'node:http';
import test from 'ava';
import { request } from 'undici';
import WebSocket from 'ws';
import type { DevChain } from '#devchain/devchain.ts';
import { EdgeBudgets } from '#edge/edge-budgets.ts';
import { type RunningEdge, startEdge } from '#test/helpers/edge.ts';
import { startFaultyNode } from '#test/helpers/faulty-proxy.ts';
import { waitFor } from '#test/helpers/processes.ts';
import { startDevChain } from '#test/helpers/service.ts';

let chain: DevChain;
let edge: RunningEdge;
const rates = {
  mode: 'enforce',
  perAddress: 100,
  perNetwork: 150,
  clientsPerAddress: 5,
  clientsPerNetwork: 8,
  proxyHops: 1,
} as const;

test.before(async () => {
  chain = await startDevChain({ blocks: 3, seed: 6 });
  edge = await startEdge({ writerUrl: chain.rpc.url, rates });
});

test.after.always(async () => {
  await edge?.stop();
  await chain?.stop();
});

const call = (id: number, method = 'eth_chainId', params: unknown[] = []) => ({ jsonrpc: '2.0', id, method, params });
const post = async (ip: string, body: unknown) => {
  const reply = await request(edge.origin, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.0.0.1, ${ip}` },
  });
  // biome-ignore lint/suspicious/noExplicitAny: replies of JSON-RPC
  return { status: reply.statusCode, headers: reply.headers, body: (await reply.body.json()) as any };
};
const upgrade = (ip: string, { wsUrl } = edge) => {
  const socket = new WebSocket(wsUrl, { headers: { 'x-forwarded-for': ip } });
  return new Promise<WebSocket | IncomingMessage>((resolve) => {
    socket.once('open', () => resolve(socket));
    socket.once('unexpected-response', (_, refusal) => resolve(refusal));
  });
};
const open = async (ip: string) => {
  const upgraded = await upgrade(ip);
  return upgraded instanceof WebSocket ? upgraded : (upgraded.statusCode ?? 0);
};
const ask = (socket: WebSocket, one: { id: number }) =>
  // biome-ignore lint/suspicious/noExplicitAny: replies of JSON-RPC
  new Promise<any>((resolve) => {
    const listen = (data: WebSocket.RawData) => {
      const reply = JSON.parse(data.toString());
      if (reply.id !== one.id && !reply.error) return;
      socket.off('message', listen);
      resolve(reply);
    };
    socket.on('message', listen);
    socket.send(JSON.stringify(one));
  });

test.serial('edge counts each call by address and network, single or in a batch', async (t) => {
  const batch = Array.from({ length: 60 }, (_, id) => call(id));
  t.is((await post('192.0.2.1', batch)).body.length, 60);
  const over = await post('192.0.2.1', batch);
  t.deepEqual([over.status, over.body.error], [429, { code: -32005, message: 'limit exceeded' }]);
  t.is(over.headers['retry-after'], '60');
  t.is((await post('192.0.2.2', batch)).status, 200, 'another address');
  t.is((await post('192.0.2.3', batch)).status, 429, 'the network has none left');
  t.is((await post('198.51.100.1', batch)).status, 200, 'another network');
  const status = await request(`${edge.origin}/v1/fleet-status`, { headers: { 'x-forwarded-for': '192.0.2.1' } });
  t.is(status.statusCode, 429);
  await status.body.dump();
});

test.serial('edge charges invalid requests like valid ones, over HTTP and WebSocket', async (t) => {
  const malformed = ['no JSON', [], [1], Array.from({ length: 101 }, (_, id) => call(id)), 'x'.repeat(2 << 20)];
  const statuses: number[] = [];
  for (let i = 0; i < 110; i++) {
    const { status } = await post('198.18.0.1', malformed[i % (i < 20 ? malformed.length : 4)]);
    statuses.push(status);
  }
  t.false(statuses.slice(0, 100).includes(429));
  t.deepEqual([...new Set(statuses.slice(100))], [429]);
  const socket = (await open('198.18.0.2')) as WebSocket;
  t.is((await post('198.18.0.3', 'x')).status, 400);
  let refused = 0;
  for (let id = 0; id < 60; id++) {
    const said = new Promise((resolve) =>
      socket.once('message', (data) => resolve(JSON.parse(data.toString()).error.code)),
    );
    socket.send('no JSON');
    if ((await said) === -32005) refused++;
  }
  t.is(refused, 60 - (150 - 100 - 2), 'of what the network had left');
  socket.close();
});

test.serial('edge limits clients per address and charges their calls to it', async (t) => {
  const all = await Promise.all(Array.from({ length: 12 }, () => open('198.51.100.20')));
  const sockets = all.filter((one): one is WebSocket => typeof one !== 'number');
  t.is(sockets.length, 5);
  t.deepEqual(
    all.filter((one) => typeof one === 'number'),
    Array.from({ length: 7 }, () => 429),
  );
  sockets[0]!.close();
  await waitFor(async () => typeof (await open('198.51.100.20')) !== 'number', 5_000, 'a place that is given back');
  let answered = 0;
  for (let id = 1; id <= 100; id++) if ((await ask(sockets[1 + (id % 4)]!, call(id))).result) answered++;
  t.true(answered > 50 && answered < 90, `${answered}: the handshakes were counted too`);
  t.is((await ask(sockets[1]!, call(7))).error.code, -32005);
  t.is((await ask(sockets[1]!, call(8))).id, 8, 'a client waits for the ids of its calls');
  const batch = [call(9), { jsonrpc: '2.0', method: 'eth_chainId' }, call(10)];
  const refused: { id: number }[] = await ask(sockets[1]!, batch as never);
  t.deepEqual(
    refused.map(({ id }) => id),
    [9, 10],
  );
  for (const socket of sockets) socket.terminate();
});

test.serial('refusals say when to try again', async (t) => {
  const readRefusal = (refusal: WebSocket | IncomingMessage) =>
    refusal instanceof WebSocket ? refusal : [refusal.statusCode, refusal.headers['retry-after']];
  const held = await Promise.all(Array.from({ length: 5 }, () => upgrade('10.7.7.7')));
  t.deepEqual(readRefusal(await upgrade('10.7.7.7')), [429, '1'], 'too many clients');
  for (const one of held) if (one instanceof WebSocket) one.terminate();
  await post(
    '10.7.7.7',
    Array.from({ length: 99 }, (_, id) => call(id)),
  );
  t.deepEqual(readRefusal(await upgrade('10.7.7.7')), [429, '60'], 'over the rate limit, until its minute ends');
  const stuck = await startFaultyNode(chain.rpc.url, ({ calls }) =>
    calls[0]?.method === 'eth_call' ? 'answered' : 'untouched',
  );
  const full = await startEdge({ writerUrl: stuck.url, rates: { ...rates, mode: 'observe' }, maxClients: 0 });
  t.teardown(() => Promise.all([full.stop(), stuck.stop()]));
  t.deepEqual(readRefusal(await upgrade('10.7.7.7', full)), [503, '1'], 'too many clients of all addresses');
  const asked = Array.from({ length: 129 }, () =>
    fetch(full.origin, { method: 'POST', body: JSON.stringify(call(1, 'eth_call')) }),
  );
  const { status, headers } = await Promise.race(asked);
  t.deepEqual([status, headers.get('retry-after')], [429, '1'], 'too many calls at once');
  for (const one of asked) one.catch(() => {}); // stopping the edge aborts these requests
});

test.serial('a connection that goes on after many refusals is closed', async (t) => {
  const socket = (await open('198.51.101.1')) as WebSocket;
  let replies = 0;
  socket.on('message', () => replies++);
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  for (let i = 0; i < 20_000; i++) socket.send('{}');
  t.is(await closed, 1008);
  t.true(replies >= 256 && replies <= 64 + 100 + 1_024 + 256, `${replies} replies`);
});

test.serial('edge limits clients per network', async (t) => {
  const all = await Promise.all(Array.from({ length: 12 }, (_, i) => open(`203.0.114.${i % 4}`)));
  t.is(all.filter((one) => typeof one !== 'number').length, 8);
  for (const one of all) if (typeof one !== 'number') one.terminate();
});

test.serial('edge limits concurrent subscriptions like successive ones', async (t) => {
  const socket = (await open('203.0.113.5')) as WebSocket;
  let made = 0;
  let refused = 0;
  socket.on('message', (data) => {
    const { result, error } = JSON.parse(data.toString());
    if (typeof result === 'string') made++;
    if (error) refused++;
  });
  for (let id = 0; id < 80; id++) socket.send(JSON.stringify(call(id, 'eth_subscribe', ['newHeads'])));
  await waitFor(() => made + refused === 80, 10_000, 'all are answered');
  t.is(made, 64);
  socket.terminate();
});

test.serial('one address holds few large bodies at once, however slowly it sends them', async (t) => {
  const ip = '10.9.9.9';
  const headers = { 'content-type': 'application/json', 'content-length': 100_000, 'x-forwarded-for': ip };
  const held: ClientRequest[] = [];
  for (let i = 0; i < 8; i++) {
    const one = begin(edge.origin, { method: 'POST', headers });
    one.on('error', () => {}).write('[');
    held.push(one);
  }
  const large = { ...call(1), padding: 'x'.repeat(70_000) };
  await waitFor(async () => (await post(ip, large)).status === 429, 10_000, 'a further large body is refused');
  t.is((await post(ip, call(2))).status, 200, 'small bodies need no place');
  t.is((await post('10.8.8.8', large)).status, 200, 'other addresses have their own places');
  for (const one of held) one.destroy();
  await waitFor(async () => (await post(ip, large)).status === 200, 10_000, 'the places are free again');
});

test('the subscriptions of an address and of its network are limited', (t) => {
  const budgets = new EdgeBudgets(rates);
  const taken = Array.from({ length: 640 }, () => budgets.takeSubscription('203.0.113.5'));
  t.true(taken.every((release) => release !== undefined));
  t.is(budgets.takeSubscription('203.0.113.5'), undefined);
  t.truthy(budgets.takeSubscription('203.0.113.6'));
  taken[0]!();
  t.truthy(budgets.takeSubscription('203.0.113.5'));
  const observing = new EdgeBudgets({ ...rates, mode: 'observe' });
  for (let i = 0; i < 700; i++) t.truthy(observing.takeSubscription('203.0.113.5'));
});
