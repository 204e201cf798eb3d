/** A contract may revert with any words: they are its answer, never the node's fault. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import { askContract } from '#chain/rpc/ask-contract.ts';
import { RpcClient } from '#chain/rpc/rpc-client.ts';

test('a revert that speaks of rate limits or missing methods is a revert', async (t) => {
  const texts = [
    'execution reverted: rate limit exceeded',
    'execution reverted: too many requests',
    'eth_call is not supported',
  ];
  let said = 0;
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const [call] = [JSON.parse(Buffer.concat(parts).toString())].flat();
    const error = { code: said === 2 ? -32000 : 3, message: texts[said] };
    response.end(JSON.stringify({ jsonrpc: '2.0', id: call.id, error }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = new RpcClient({ urls: [url], timeoutMs: 2_000, maxInFlight: 2 });
  for (said = 0; said < texts.length; said++) {
    const question = { to: `0x${'1'.repeat(40)}`, data: '0x', block: 1 };
    t.is(await askContract(client, question, { retries: 0 }), null, texts[said]!);
    t.true(client.endpoints[0]!.available, 'the endpoint does not rest for it');
  }
  await client.close();
  server.close();
});
