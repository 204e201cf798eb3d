import { createServer, type Server } from 'node:http';
import test from 'ava';
import { forwardRpc } from '#gateway/forward.ts';
import { sliceArray } from '#gateway/json-slices.ts';
import { Upstreams } from '#gateway/upstreams.ts';
import { freePort } from '#test/helpers/processes.ts';

interface Node {
  readonly url: string;
  readonly asked: string[];
  reply: (body: string) => string;
  stop(): void;
}

async function startNode(): Promise<Node> {
  const asked: string[] = [];
  const node = { asked, reply: good } as unknown as Node & { url: string };
  const server: Server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      asked.push(body);
      response.end(node.reply(body));
    });
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return Object.assign(node, { url: `http://127.0.0.1:${port}`, stop: () => server.close() });
}

const replyTo = ({ id }: { id?: unknown }) => ({ jsonrpc: '2.0', id, result: '0x1' });

function good(body: string): string {
  const parsed = JSON.parse(body);
  if (!Array.isArray(parsed)) return parsed.id === undefined ? '' : JSON.stringify(replyTo(parsed));
  return JSON.stringify(parsed.filter((call) => call.id !== undefined).map(replyTo));
}

const bad: Record<string, (body: string) => string> = {
  html: () => '<html>secret upstream text</html>',
  cut: (body) => good(body).slice(0, -3),
  empty: () => '',
  second: (body) => `${good(body)}{"secret":1}`,
  foreign: (body) => good(body).replace(/"id":[^,]+/, '"id":"secret"'),
};

const single = '{"jsonrpc":"2.0","id":7,"method":"eth_chainId","params":[]}';
const batch = `[${single},{"jsonrpc":"2.0","id":"b","method":"eth_blockNumber","params":[]}]`;
const mixed = `[${single},{"jsonrpc":"2.0","id":"c","method":"admin_peers","params":[]}]`;
const write = '{"jsonrpc":"2.0","id":9,"method":"eth_sendRawTransaction","params":["0x00"]}';

for (const [kind, reply] of Object.entries(bad)) {
  test(`D24: reads go to the next node and no upstream text passes when a reply is bad: ${kind}`, async (t) => {
    const [first, second] = await Promise.all([startNode(), startNode()]);
    t.teardown(() => [first.stop(), second.stop()]);
    const readUrls = [first.url, second.url];
    const upstreams = new Upstreams({ writerUrl: second.url, readUrls });
    t.teardown(() => upstreams.close());
    for (const text of [single, batch, mixed]) {
      first.reply = reply;
      second.reply = good;
      const { status, body } = await forwardRpc(upstreams, 'proxy', text);
      t.is(status, 200);
      t.notThrows(() => JSON.parse(String(body)));
      t.false(String(body).includes('secret'));
      t.true(String(body).includes('"id":7'));
      second.reply = reply;
      const failed = await forwardRpc(upstreams, 'proxy', text);
      t.is(failed.status, 502);
      t.regex(String(failed.body), /-32603/);
      t.false(String(failed.body).includes('secret'));
      t.notThrows(() => JSON.parse(String(failed.body)));
    }
    second.asked.length = 0;
    const sent = await forwardRpc(upstreams, 'proxy', write);
    t.regex(String(sent.body), /the transaction may have been sent/);
    t.is(second.asked.length, 1, 'a write is sent once');
  });
}

test('D24: an invalid entry of a batch gets its own error, the others are answered', async (t) => {
  const node = await startNode();
  t.teardown(() => node.stop());
  const upstreams = new Upstreams({ writerUrl: node.url, readUrls: [node.url] });
  t.teardown(() => upstreams.close());
  const ask = async (text: string) => JSON.parse(String((await forwardRpc(upstreams, 'writer', text)).body));
  const replies = await ask(`[1,${single},{"id":5},{"id":{},"method":"eth_chainId"}]`);
  t.is(replies.length, 4);
  t.is(replies.find((one: { id: unknown }) => one.id === 7).result, '0x1');
  t.is(replies.find((one: { id: unknown }) => one.id === 5).error.code, -32600);
  t.is(
    replies.filter((one: { id: unknown; error?: { code: number } }) => one.id === null && one.error?.code === -32600)
      .length,
    2,
  );
  t.deepEqual(
    (await ask('[1,2]')).map((one: { error: { code: number } }) => one.error.code),
    [-32600, -32600],
  );
});

test('D24: truncated JSON ends the slicing with an error, not a loop', (t) => {
  for (const text of ['[{"a":1', '["abc', '[', '[1,', '[{"a":"b\\"'])
    t.throws(() => sliceArray(text), { instanceOf: SyntaxError });
});
