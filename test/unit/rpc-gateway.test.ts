import { setMaxListeners } from 'node:events';
import { createServer, type Server } from 'node:http';
import test from 'ava';
import { chargeReply, countedCaller, forwardRpc } from '#gateway/forward.ts';
import { sliceArray } from '#gateway/json-slices.ts';
import { Upstreams } from '#gateway/upstreams.ts';
import { freePort } from '#test/helpers/processes.ts';

interface Node {
  readonly url: string;
  readonly asked: string[];
  /** Undefined: the node replies after release(). */
  reply: (body: string) => string | undefined;
  release(): void;
  stop(): void;
}

async function startNode(): Promise<Node> {
  const asked: string[] = [];
  const held: (() => void)[] = [];
  const node = { asked, reply: good } as unknown as Node & { url: string };
  const server: Server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      asked.push(body);
      const text = node.reply(body);
      if (text === undefined) held.push(() => response.end(good(body)));
      else response.end(text);
    });
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const release = () => {
    node.reply = good;
    for (const end of held.splice(0)) end();
  };
  return Object.assign(node, { url: `http://127.0.0.1:${port}`, release, stop: () => server.close() });
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
const { signal: undelivered } = new AbortController();
setMaxListeners(0, undelivered);
const caller = countedCaller('test', undelivered);
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
      const { status, body } = await forwardRpc(upstreams, 'proxy', text, caller);
      t.is(status, 200);
      t.notThrows(() => JSON.parse(String(body)));
      t.false(String(body).includes('secret'));
      t.true(String(body).includes('"id":7'));
      second.reply = reply;
      const failed = await forwardRpc(upstreams, 'proxy', text, caller);
      t.is(failed.status, 502);
      t.regex(String(failed.body), /-32603/);
      t.false(String(failed.body).includes('secret'));
      t.notThrows(() => JSON.parse(String(failed.body)));
    }
    second.asked.length = 0;
    const sent = await forwardRpc(upstreams, 'proxy', write, caller);
    t.regex(String(sent.body), /the transaction may have been sent/);
    t.is(second.asked.length, 1, 'a write is sent once');
  });
}

test('an error before a request reaches a node never says that its transaction may have been sent', async (t) => {
  const node = await startNode();
  const upstreams = new Upstreams({ writerUrl: node.url, readUrls: [node.url] });
  t.teardown(() => Promise.all([node.stop(), upstreams.close()]));
  const broken = { ...caller, admits: () => Promise.reject(new Error('the rate limit is broken')) };
  const { status, body } = await forwardRpc(upstreams, 'proxy', `[${write},${write}]`, broken);
  t.is(status, 502);
  t.notRegex(String(body), /may have been sent/);
  t.deepEqual(node.asked, []);
});

test('D24: an invalid entry of a batch gets its own error, the others are answered', async (t) => {
  const node = await startNode();
  t.teardown(() => node.stop());
  const upstreams = new Upstreams({ writerUrl: node.url, readUrls: [node.url] });
  t.teardown(() => upstreams.close());
  const ask = async (text: string) => JSON.parse(String((await forwardRpc(upstreams, 'writer', text, caller)).body));
  const replies = await ask(`[1,${single},{"id":5},{"id":{},"method":"eth_chainId"}]`);
  t.is(replies.length, 4);
  t.is(replies.find((one: { id: unknown }) => one.id === 7).result, '0x1');
  t.is(replies.find((one: { id: unknown }) => one.id === 5).error.code, -32600);
  t.is(
    replies.filter((one: { id: unknown; error?: { code: number } }) => one.id === null && one.error?.code === -32600)
      .length,
    2,
  );
  const padded = single.replace('{', `{${'"x":1,'.repeat(13)}`);
  t.regex((await ask(padded)).error.message, /at most 16 fields/);
  t.is((await ask(padded.replace('"x":1,', ''))).result, '0x1');
  for (const names of ['"ID":2', '"METHOD":"eth_chainId"'])
    t.is((await ask(single.replace('"id"', `${names},"id"`))).error.code, -32600, names);
  t.deepEqual(
    (await ask('[1,2]')).map((one: { error: { code: number } }) => one.error.code),
    [-32600, -32600],
  );
});

test('notifications get no reply, also if they are refused, and a call without an id must name its version', async (t) => {
  const node = await startNode();
  t.teardown(() => node.stop());
  const upstreams = new Upstreams({ writerUrl: node.url, readUrls: [node.url] });
  t.teardown(() => upstreams.close());
  const ask = async (text: string) => String((await forwardRpc(upstreams, 'reads', text, caller)).body);
  t.is(await ask('{"jsonrpc":"2.0","method":"debug_x"}'), '');
  t.is(await ask('{"jsonrpc":"2.0","method":"eth_sendRawTransaction"}'), '');
  t.is(await ask('[{"jsonrpc":"2.0","method":"debug_x"}]'), '');
  t.is(await ask('[{"jsonrpc":"2.0","method":"eth_sendRawTransaction"}]'), '');
  const replies = JSON.parse(await ask(`[${single},{"method":"eth_blockNumber"}]`));
  t.deepEqual(
    replies.map(({ id, error }: { id: unknown; error?: { code: number } }) => [id, error?.code]),
    [
      [7, undefined],
      [null, -32600],
    ],
  );
});

test('D24: truncated JSON ends the slicing with an error, not a loop', (t) => {
  for (const text of ['[{"a":1', '["abc', '[', '[1,', '[{"a":"b\\"'])
    t.throws(() => sliceArray(text), { instanceOf: SyntaxError });
});

test('slow reads of one caller delay no other caller, no transaction and no probe, and end in time', async (t) => {
  const node = await startNode();
  t.teardown(() => node.stop());
  const upstreams = new Upstreams({ writerUrl: node.url, readUrls: [node.url] });
  t.teardown(() => upstreams.close());
  const slow = '{"jsonrpc":"2.0","id":7,"method":"eth_call","params":[]}';
  node.reply = (body) => (body.includes('eth_call') ? undefined : good(body));
  const many = Array.from({ length: 100 }, () => forwardRpc(upstreams, 'proxy', slow, caller));
  const refused = Array.from({ length: 60 }, () => forwardRpc(upstreams, 'proxy', slow, caller));
  const statuses = await Promise.all(refused.slice(30).map(async (reply) => (await reply).status));
  t.deepEqual([...new Set(statuses)], [429]);
  const busy = await forwardRpc(upstreams, 'proxy', batch, caller);
  t.is(busy.retryAfterSeconds, 1);
  t.deepEqual(
    JSON.parse(String(busy.body)).map(({ id, error }: { id: unknown; error: { code: number } }) => [id, error.code]),
    [
      [7, -32005],
      ['b', -32005],
    ],
  );
  t.is((await forwardRpc(upstreams, 'proxy', write, caller)).status, 200, 'a transaction does not wait for reads');
  const full = countedCaller('batches', undelivered);
  const withReads = Array.from({ length: 16 }, () => forwardRpc(upstreams, 'proxy', `[${write},${slow}]`, full));
  const hidden = await forwardRpc(upstreams, 'proxy', `[${write},{"jsonrpc":"2.0","id":1,"method":"foo_bar"}]`, caller);
  t.is(hidden.status, 200, 'only the write reaches the node');
  t.is((await forwardRpc(upstreams, 'proxy', write, caller)).status, 200, 'nor for batches that also read');
  const other = countedCaller('another', undelivered);
  t.is((await forwardRpc(upstreams, 'proxy', single, other)).status, 200);
  t.is(node.asked.filter((body) => body.includes('eth_call') && !body.startsWith('[')).length, 16);
  await upstreams.probe();
  t.is(upstreams.writer.head, 1);
  for (let i = 0; i < 6; i++) {
    const stranger = countedCaller(`stranger ${i}`, undelivered);
    many.push(...Array.from({ length: 16 }, () => forwardRpc(upstreams, 'proxy', slow, stranger)));
  }
  await upstreams.probe();
  t.is(upstreams.writer.head, 1, 'although all connections for reads are busy');
  await upstreams.writer.send(write, 2_000, 'writes');
  await t.throwsAsync(upstreams.writer.send(single, 300), { message: /no answer within 300 ms/ });
  node.release();
  await Promise.all([...many, ...refused, ...withReads]);
});

test('replies that are not delivered take a limited amount of memory, per caller and in total', async (t) => {
  const node = await startNode();
  t.teardown(() => node.stop());
  const upstreams = new Upstreams({ writerUrl: node.url, readUrls: [node.url] });
  t.teardown(() => upstreams.close());
  const mib = 1024 * 1024;
  const large = `"${'f'.repeat(48 * mib)}"`;
  node.reply = (body) => good(body).replace('"0x1"', body.includes('eth_call') ? large : '"0x1"');
  const slow = '{"jsonrpc":"2.0","id":7,"method":"eth_call","params":[]}';
  const ask = async (name: string, text = slow) => {
    const delivered = new AbortController();
    const reply = await forwardRpc(upstreams, 'proxy', text, countedCaller(name, delivered.signal));
    return { ...reply, deliver: () => delivered.abort() };
  };
  const [first, second, third] = [await ask('a'), await ask('a'), await ask('a')];
  t.deepEqual([first.status, second.status, third.status], [200, 200, 429], '128 MiB per caller');
  t.regex(String(third.body), /"id":7.*not delivered yet/);
  third.deliver();
  t.is((await ask('a')).status, 429);
  first.deliver();
  t.is((await ask('a')).status, 200, 'after the client has read a reply');
  for (const name of ['b', 'b', 'c', 'c', 'd', 'd', 'e', 'e']) await ask(name);
  const others = await ask('f');
  t.is(others.status, 503, '512 MiB in total');
  t.is(others.retryAfterSeconds, 1);
  t.regex(String(others.body), /too many large replies/);
  t.is((await ask('f', single)).status, 200, 'short replies are delivered');
});

test('a long reply counts as further calls, one per 64 KiB', async (t) => {
  const charged: number[] = [];
  const admits = async (calls: number) => charged.push(calls) < 3;
  for (const bytes of [100, 65_535, 65_536, 700_000]) await chargeReply({ admits }, Buffer.alloc(bytes));
  t.deepEqual(charged, [1, 10]);
});

test('a node of another chain gets no reads and no transactions until it serves this one', async (t) => {
  const [own, foreign] = await Promise.all([startNode(), startNode()]);
  const upstreams = new Upstreams({ writerUrl: foreign.url, readUrls: [foreign.url, own.url], chainId: 1 });
  t.teardown(() => Promise.all([own.stop(), foreign.stop(), upstreams.close()]));
  foreign.reply = (body) => good(body).replace('0x1', '0x99');
  await upstreams.probe();
  t.like(upstreams.getHealth(upstreams.writer), { state: 'out', lastFault: 'the node serves chain 153, not 1' });
  t.is(upstreams.commonHead, 1, 'its head does not make others lag');
  foreign.asked.length = 0;
  for (let i = 0; i < 4; i++) t.regex(String((await forwardRpc(upstreams, 'proxy', single, caller)).body), /"0x1"/);
  t.regex(String((await forwardRpc(upstreams, 'proxy', write, caller)).body), /"error"/);
  t.deepEqual(foreign.asked, []);
  foreign.reply = good;
  await upstreams.probe();
  t.is(upstreams.getHealth(upstreams.writer).state, 'ok');
  t.regex(String((await forwardRpc(upstreams, 'proxy', write, caller)).body), /"result"/);
});
