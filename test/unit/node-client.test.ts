import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import { Cordscan } from '#client/index.ts';
import { NodeClient } from '#integrator/node-client.ts';

test('a reply of a node without a result, or with no number, is an error', async (t) => {
  const replies = ['{"message":"slow down"}', '{"result":null}', '{"result":"0x"}', '{"result":"0x1f"}'];
  const server = createServer((_, response) => response.end(replies[0]));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const node = new NodeClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await t.throwsAsync(node.once('eth_blockNumber', []), { message: /neither a result nor an error/ });
  for (const said of ['null', '"0x"']) {
    replies.shift();
    await t.throwsAsync(node.readQuantity('eth_blockNumber'), {
      message: `eth_blockNumber returned ${said}, expected a hex number`,
    });
  }
  replies.shift();
  t.is(await node.readQuantity('eth_blockNumber'), 31n);
});

test('a node URL may have a user name and a password', async (t) => {
  const server = createServer(({ headers }, response) =>
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: headers.authorization ?? 'none' })),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  t.is(await new NodeClient(`http://${host}/`).read('eth_chainId'), 'none');
  const authorization = await new NodeClient(`http://user:p%40ss@${host}/`).read('eth_chainId');
  t.is(authorization, `Basic ${btoa('user:p@ss')}`);
});

test('a client with a password in its URL is refused without naming the password', (t) => {
  const error = t.throws(() => new Cordscan('https://user:geheim@explorer.example'), { instanceOf: TypeError });
  t.notRegex(error!.message, /geheim|explorer/);
});
