/** The dev chain signs for unlocked accounts, so web pages must not use it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import test from 'ava';
import { request } from 'undici';
import WebSocket from 'ws';
import { hiddenLoopback } from '#devchain/anvil.ts';
import { type DevNode, startDevNode } from '#devchain/dev-node.ts';
import type { DevChain } from '#devchain/devchain.ts';
import { freePort, waitFor } from '#test/helpers/processes.ts';
import { startDevChain } from '#test/helpers/service.ts';

let chain: DevChain;
let node: DevNode;

test.before(async () => {
  chain = await startDevChain({ blocks: 2, seed: 5 });
  node = await startDevNode({
    port: await freePort(),
    host: '127.0.0.1',
    target: chain.anvil.rpc.url,
    methods: { x_getValidators: () => ({ validators: [] }) },
  });
});

test.after.always(async () => {
  await node?.stop();
  await chain?.stop();
});

const account = `0x${'ab'.repeat(20)}`;
const gift = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_setBalance', params: [account, '0x7'] });
const balance = () => chain.rpc.call('eth_getBalance', [account, 'latest']);

test.serial('dev node rejects reads and writes by a web page in any kind of request', async (t) => {
  for (const origin of ['https://example.org', 'http://localhost:3000', 'http://127.0.0.1:8545', 'null'])
    for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
      const reply = await request(node.url, { method: 'POST', body: gift, headers: { origin, 'content-type': type } });
      t.is(reply.statusCode, 403);
      t.regex(await reply.body.text(), /Web pages may not use the dev chain/);
      t.is(reply.headers['access-control-allow-origin'], undefined);
    }
  const preflight = await request(node.url, {
    method: 'OPTIONS',
    headers: { origin: 'https://example.org', 'access-control-request-method': 'POST' },
  });
  t.is(preflight.headers['access-control-allow-origin'], undefined);
  t.is(await openedAs('https://example.org'), 'refused');
  t.is(await balance(), '0x0');
});

test.serial('anvil lets no web page read it', async (t) => {
  const reply = await request(chain.anvil.rpc.url, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_accounts', params: [] }),
    headers: { origin: 'https://example.org', 'content-type': 'application/json' },
  });
  t.is(reply.headers['access-control-allow-origin'], undefined);
  if (process.platform === 'linux') t.not(hiddenLoopback(), hiddenLoopback(), 'and its address is not to be guessed');
});

test.serial('dev node serves programs and wallets', async (t) => {
  t.is(await openedAs(undefined), 'open');
  for (const headers of [{}, { origin: 'chrome-extension://abcdefghijklmnop' }, { origin: 'moz-extension://abc' }]) {
    const all = { 'content-type': 'application/json', ...headers };
    t.is((await request(node.url, { method: 'POST', body: gift, headers: all })).statusCode, 200);
  }
  t.is(await balance(), '0x7');
});

test.serial('dev node forwards calls unchanged when they are not its own', async (t) => {
  const ask = async (url: string, body: string) => {
    const reply = await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
    return [reply.status, reply.headers.get('content-type'), await reply.text()];
  };
  const block = '"method":"eth_getBlockByNumber","params":["0x2",true]';
  for (const body of [
    `{"jsonrpc":"2.0","id":900719925474099312345,${block}}`,
    `[{"jsonrpc":"2.0","id":"x_getValidators",${block}},{"jsonrpc":"2.0","id":2,"method":"x_other","params":[]}]`,
    ...['{"jsonrpc":"2.0","id":1,"method":"x_other"}', '{"method":"x_', '[]', '', 'null', '[{"x_y":1}]'],
  ])
    t.deepEqual(await ask(node.url, body), await ask(chain.anvil.rpc.url, body), body);
});

test('calls that remove blocks run alone: anvil ends when it reads receipts meanwhile', async (t) => {
  const running = new Set<string>();
  const together: string[] = [];
  const order: string[] = [];
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const target = createServer(async (incoming, response) => {
    const { method } = (await json(incoming)) as { method: string };
    running.add(method);
    if (running.size > 1) together.push([...running].sort().join(' '));
    await (method === 'eth_slow' ? released : setTimeout(20));
    running.delete(method);
    order.push(method);
    response.end('{}');
  });
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
  const { port } = target.address() as AddressInfo;
  const gate = await startDevNode({
    port: await freePort(),
    host: '127.0.0.1',
    target: `http://127.0.0.1:${port}`,
    methods: {},
  });
  t.teardown(async () => {
    await gate.stop();
    await new Promise((resolve) => target.close(resolve));
  });
  const send = async (method: string) => {
    const reply = await request(gate.url, { method: 'POST', body: JSON.stringify({ method }) });
    await reply.body.dump();
  };
  const slow = send('eth_slow');
  await waitFor(async () => running.has('eth_slow'), 10_000, 'the slow call arrives');
  await send('eth_quick');
  const methods = ['anvil_reorg', 'eth_after', 'evm_revert', 'anvil_rollback', 'eth_last'];
  const sent = methods.map(send);
  await setTimeout(100);
  t.false(order.includes('anvil_reorg'), 'it waits for the slow call');
  release();
  await Promise.all([slow, ...sent]);
  t.true(together.includes('eth_quick eth_slow'), 'others run at the same time');
  t.deepEqual(
    together.filter((methods) => /anvil|evm/.test(methods)),
    [],
  );
  t.deepEqual([...order].sort(), ['eth_slow', 'eth_quick', ...methods].sort());
});

function openedAs(origin: string | undefined): Promise<'open' | 'refused'> {
  const socket = new WebSocket(node.url.replace('http', 'ws'), origin === undefined ? {} : { origin });
  return new Promise((resolve) => {
    socket.once('open', () => {
      socket.close();
      resolve('open');
    });
    socket.once('error', () => resolve('refused'));
  });
}
