import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import test from 'ava';
import { TransportError } from '#chain/errors.ts';
import { HttpTransport } from '#chain/rpc/transport-http.ts';

const unsupported = '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"not available"}}';

async function post(t: { teardown(end: () => void): void }, status: number, body: string | Buffer): Promise<string> {
  const server = createServer((_, reply) => {
    reply.writeHead(status, Buffer.isBuffer(body) ? { 'content-encoding': 'gzip' } : {}).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const transport = new HttpTransport(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, 5_000, 1);
  t.teardown(() => {
    void transport.close();
    server.close();
  });
  return Buffer.from(await transport.post('{}')).toString();
}

test('JSON-RPC errors are read whatever their HTTP status of 4xx, other bodies are errors of the transport', async (t) => {
  t.is(await post(t, 404, unsupported), unsupported);
  t.is(await post(t, 400, `[${unsupported}]`), `[${unsupported}]`);
  t.is(await post(t, 200, gzipSync('{}')), '{}');
  for (const [status, body, reason] of [
    [404, 'no such page', 'http_status'],
    [403, '{"error":"forbidden"}', 'http_status'],
    [400, '[]', 'http_status'],
    [429, unsupported, 'throttled'],
    [500, unsupported, 'http_status'],
  ] as const) {
    const error = await t.throwsAsync<TransportError>(post(t, status, body), { instanceOf: TransportError });
    t.is(error?.reason, reason, body);
  }
});
