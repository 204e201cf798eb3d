import { createServer } from 'node:http';
import test from 'ava';
import { request } from 'undici';
import WebSocket from 'ws';
import { startEdge } from '#test/helpers/edge.ts';
import { freePort, waitFor } from '#test/helpers/processes.ts';

const call = '{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[]}';
const largeBytes = 48 * 1024 * 1024;

/** Starts a node whose replies to eth_call are large. A real node has no cheap call with such a reply. */
async function startLargeNode(): Promise<{ url: string; stop: () => void }> {
  const large = `"${'f'.repeat(largeBytes)}"`;
  const server = createServer((asked, response) => {
    let body = '';
    asked.on('data', (chunk) => (body += chunk));
    asked.on('end', () =>
      response.end(`{"jsonrpc":"2.0","id":1,"result":${body.includes('eth_call') ? large : '"0x1"'}}`),
    );
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${port}`, stop: () => server.close() };
}

test('delivered replies of the edge occupy no memory, undelivered ones do until the client is gone', async (t) => {
  const warnings: string[] = [];
  const onWarning = ({ name, message }: Error) => warnings.push(`${name}: ${message}`);
  process.on('warning', onWarning);
  t.teardown(() => process.off('warning', onWarning));
  const node = await startLargeNode();
  const edge = await startEdge({ writerUrl: node.url });
  t.teardown(() => edge.stop());
  t.teardown(() => node.stop());
  const post = () => request(edge.origin, { method: 'POST', body: call });
  for (let i = 0; i < 4; i++) {
    const { statusCode, body } = await post();
    t.deepEqual([statusCode, (await body.arrayBuffer()).byteLength > largeBytes], [200, true], `HTTP ${i}`);
  }
  const socket = new WebSocket(edge.wsUrl, { maxPayload: 2 * largeBytes });
  await new Promise((resolve) => socket.once('open', resolve));
  for (let i = 0; i < 4; i++) {
    socket.send(call);
    const reply = await new Promise<Buffer>((resolve) => socket.once('message', resolve));
    t.true(reply.length > largeBytes, `WebSocket ${i}`);
  }
  for (let i = 0; i < 20; i++) {
    socket.send(call.replace('eth_call', 'eth_chainId'));
    await new Promise((resolve) => socket.once('message', resolve));
  }
  t.deepEqual(warnings, [], 'no message leaves a listener behind');
  socket.terminate();
  const unread = [await post(), await post()];
  const refused = await post();
  t.is(refused.statusCode, 429);
  t.regex(await refused.body.text(), /not delivered yet/);
  for (const { body } of unread) body.destroy();
  await waitFor(
    async () => {
      const { statusCode, body } = await post();
      await body.dump({ limit: 2 * largeBytes });
      return statusCode === 200;
    },
    10_000,
    'a reply after the connections of unread ones were closed',
  );
});
