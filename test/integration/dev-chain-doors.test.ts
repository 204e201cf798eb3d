/** The dev chain signs for unlocked accounts, so web pages must not use it. */
import test from 'ava';
import { request } from 'undici';
import WebSocket from 'ws';
import { hiddenLoopback } from '#devchain/anvil.ts';
import { type DevNode, startDevNode } from '#devchain/dev-node.ts';
import type { DevChain } from '#devchain/devchain.ts';
import { freePort } from '#test/helpers/processes.ts';
import { startDevChain } from '#test/helpers/service.ts';

let chain: DevChain;
let node: DevNode;

test.before(async () => {
  chain = await startDevChain({ blocks: 2, seed: 5 });
  node = await startDevNode({ port: await freePort(), host: '127.0.0.1', target: chain.rpc.url, methods: {} });
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
  const reply = await request(chain.rpc.url, {
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
