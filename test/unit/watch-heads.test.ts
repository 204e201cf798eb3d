import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import { WebSocketServer } from 'ws';
import { RpcClient } from '#chain/rpc/rpc-client.ts';
import { watchHeads } from '#chain/rpc/watch-heads.ts';
import type { Log } from '#runtime/log.ts';
import { pause } from '#runtime/shutdown.ts';
import { waitFor } from '#test/helpers/processes.ts';

test.serial('a WebSocket that is silent while the chain grows is opened again', async (t) => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  let connections = 0;
  server.on('connection', (socket) => {
    if (++connections === 1) return; // accepts the first subscription, but never sends a block
    const message = { jsonrpc: '2.0', method: 'eth_subscription', params: { result: { number: '0xffff' } } };
    const sending = setInterval(() => socket.send(JSON.stringify(message)), 20);
    socket.on('close', () => clearInterval(sending));
  });
  let number = 0;
  const post = async (body: string) => {
    const result = `0x${(++number).toString(16)}`;
    return Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(body).id, result }));
  };
  const transport = { post, close: async () => {} };
  const client = new RpcClient({ urls: ['http://node'], timeoutMs: 1_000, maxInFlight: 2, transport });
  const stop = new AbortController();
  const wsUrl = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const common = { client, wsUrl, signal: stop.signal, onHead: () => {} };
  const watching = watchHeads({ ...common, pollIntervalMs: 50, silentMs: 2_000 });
  t.teardown(() => {
    stop.abort();
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  await waitFor(async () => connections >= 2, 30_000, 'the socket is opened again');
  await pause(500);
  stop.abort();
  await watching;
  t.is(connections, 2, 'a socket that delivers blocks stays');
});

test.serial(
  'a node that fails, and a WebSocket that cannot be opened, are logged once, and when they work again',
  async (t) => {
    let isAway = false;
    const post = async (body: string) => {
      if (isAway) throw new Error('connection refused');
      return Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(body).id, result: '0x1' }));
    };
    const client = new RpcClient({
      urls: ['http://node'],
      timeoutMs: 500,
      maxInFlight: 2,
      transport: { post, close: async () => {} },
    });
    const logged: string[] = [];
    const note = ({ event }: { event: string }) => logged.push(event);
    const log = { warn: note, info: note } as unknown as Log;
    const { now } = performance;
    let skippedMs = 0;
    Object.assign(performance, { now: () => now.call(performance) + skippedMs });
    const stop = new AbortController();
    const wsUrl = 'ws://127.0.0.1:9'; // nothing listens
    const watching = watchHeads({ client, wsUrl, pollIntervalMs: 20, signal: stop.signal, onHead: () => {}, log });
    t.teardown(() => {
      stop.abort();
      Object.assign(performance, { now });
    });
    await waitFor(() => logged.includes('node_socket_lost'), 5_000, 'the socket error is logged');
    await pause(1_200); // the next attempts also fail
    isAway = true;
    await waitFor(() => !client.endpoints[0]!.health.healthy, 5_000, 'the node counts as failing');
    t.deepEqual(logged, ['node_socket_lost'], 'one late answer is no failure');
    skippedMs = 11_000;
    await waitFor(() => logged.length > 1, 10_000, 'the failure is logged');
    isAway = false;
    await waitFor(() => logged.length > 2, 20_000, 'the node works again');
    stop.abort();
    await watching;
    t.deepEqual(logged, ['node_socket_lost', 'node_fails', 'node_works']);
  },
);
