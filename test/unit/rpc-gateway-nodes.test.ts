import { setMaxListeners } from 'node:events';
import test, { type ExecutionContext } from 'ava';
import { OtherReply } from '#api/http/reply.ts';
import { postRpc } from '#api/routes/node/post-rpc.ts';
import { countedCaller, forwardRpc, type RpcTarget } from '#gateway/forward.ts';
import { Upstreams, type UpstreamsOptions } from '#gateway/upstreams.ts';
import { startRpcNode } from '#test/helpers/rpc-node.ts';

const { signal: undelivered } = new AbortController();
setMaxListeners(0, undelivered);
const caller = countedCaller('test', undelivered);
const call = (method: string, params: unknown[] = []) => JSON.stringify({ jsonrpc: '2.0', id: 7, method, params });
const readNumber = call('eth_blockNumber');
const write = call('eth_sendRawTransaction', ['0x00']);
const toHex = (number: number) => `0x${number.toString(16)}`;

/** Starts a node with the given head; it fails if the head is undefined. */
async function startAt(t: ExecutionContext, head: number | undefined) {
  const node = await startRpcNode();
  t.teardown(() => node.stop());
  const setHead = (number: number | undefined) => {
    node.results = () => (number === undefined ? undefined : toHex(number));
  };
  setHead(head);
  return Object.assign(node, { setHead });
}

async function open(t: ExecutionContext, options: UpstreamsOptions) {
  const upstreams = await Upstreams.open(options);
  t.teardown(() => upstreams.close());
  const ask = async (target: RpcTarget, text = readNumber) => {
    const { status, body } = await forwardRpc(upstreams, target, text, caller);
    const { result, error } = JSON.parse(String(body));
    return { status, result, error };
  };
  return { upstreams, ask };
}

for (const target of ['reads', 'proxy'] as const)
  test(`reads use no node that is far behind, but the writer, or fail: ${target}`, async (t) => {
    const [writer, reader] = [await startAt(t, 1_000), await startAt(t, 500)];
    const { upstreams, ask } = await open(t, { writerUrl: writer.url, readUrls: [reader.url] });
    reader.asked.length = 0;
    t.like(await ask(target), { status: 200, result: toHex(1_000) });
    t.deepEqual(reader.asked, []);
    writer.setHead(undefined);
    await upstreams.probe();
    reader.asked.length = 0;
    t.like(await ask(target), {
      status: 502,
      error: { code: -32603, message: 'no node for reads is near the newest block: try again later' },
    });
    t.deepEqual(reader.asked, [], 'also if the writer does not answer');
    t.is((await ask(target, call('eth_newBlockFilter'))).status, 502);
    t.deepEqual(reader.asked, [], 'nor for filters, which other nodes do not have');
    reader.setHead(990);
    await upstreams.probe();
    t.like(await ask(target), { status: 200, result: toHex(990) }, 'a reader near the last head of the writer answers');
    t.is((await ask(target, call('eth_newBlockFilter'))).status, 200);
  });

test('a lagging node is not tried either after another node has failed', async (t) => {
  const [writer, lagging] = [await startAt(t, 1_000), await startAt(t, 500)];
  const { ask } = await open(t, { writerUrl: writer.url, readUrls: [writer.url, lagging.url] });
  writer.setHead(undefined);
  for (let i = 0; i < 2; i++) t.is((await ask('reads')).status, 502);
});

test('a single node that reports a too high head excludes no other', async (t) => {
  const [writer, reader, high] = [await startAt(t, 1_000), await startAt(t, 999), await startAt(t, 10 ** 9)];
  const readUrls = [reader.url, high.url];
  const { upstreams, ask } = await open(t, { writerUrl: writer.url, readUrls });
  t.is((await ask('proxy')).result, toHex(999));
  writer.setHead(undefined);
  await upstreams.probe();
  t.is((await ask('proxy')).result, toHex(999), 'also if the writer does not answer');
});

test('a writer that moves to a higher chain is noticed before its head makes the readers lag', async (t) => {
  const [writer, reader] = [await startAt(t, 1_000), await startAt(t, 999)];
  const setChain = (node: typeof writer, chainId: number, head: number) => {
    node.results = (method) => (method === 'eth_chainId' ? toHex(chainId) : toHex(head));
  };
  setChain(writer, 7, 1_000);
  setChain(reader, 7, 999);
  const { upstreams, ask } = await open(t, { writerUrl: writer.url, readUrls: [reader.url], chainId: 7 });
  setChain(writer, 8, 10 ** 9);
  await upstreams.probe();
  t.is(upstreams.getState(upstreams.writer), 'out');
  t.is((await ask('reads')).result, toHex(999));
  t.is((await ask('proxy', write)).status, 502, 'no transaction goes to the other chain');
});

test('reads are tried at a node that was not probed yet, or answered shortly before', async (t) => {
  const node = await startAt(t, undefined);
  const unprobed = new Upstreams({ writerUrl: node.url, readUrls: [node.url] });
  t.teardown(() => unprobed.close());
  node.setHead(1_000);
  t.is((await forwardRpc(unprobed, 'reads', readNumber, caller)).status, 200);
  const { upstreams, ask } = await open(t, { writerUrl: node.url, readUrls: [node.url] });
  node.setHead(undefined);
  await upstreams.probe();
  t.is(upstreams.getState(upstreams.writer), 'out');
  node.setHead(1_001);
  t.is((await ask('reads')).status, 200);
  upstreams.writer.heardAt -= 30_000;
  t.is((await ask('reads')).status, 502);
});

test('a node with another genesis gets no reads and no transactions until it serves the expected one', async (t) => {
  const [writer, reader] = [await startAt(t, 1_000), await startAt(t, 1_000)];
  const genesisHash = `0x${'ab'.repeat(32)}`;
  const setGenesis = (node: typeof writer, block: unknown) => {
    node.results = (method) => (method === 'eth_getBlockByNumber' ? block : method === 'eth_chainId' ? '0x1' : '0x3e8');
  };
  const own = { hash: genesisHash.toUpperCase().replace('X', 'x') };
  setGenesis(reader, own);
  setGenesis(writer, { hash: `0x${'cd'.repeat(32)}` });
  const readUrls = [writer.url, reader.url];
  const { upstreams, ask } = await open(t, { writerUrl: writer.url, readUrls, chainId: 1, genesisHash });
  const { state, lastFault } = upstreams.getHealth(upstreams.writer);
  t.is(state, 'out');
  t.regex(lastFault ?? '', /^the node serves genesis 0x(cd){32}, not 0x(ab){32}$/);
  writer.asked.length = 0;
  for (let i = 0; i < 4; i++) t.is((await ask('reads')).result, '0x3e8');
  t.is((await ask('proxy', write)).status, 502);
  t.deepEqual(writer.asked, []);
  setGenesis(writer, null);
  await upstreams.probe();
  t.regex(upstreams.getHealth(upstreams.writer).lastFault ?? '', /no block 0/);
  setGenesis(writer, own);
  await upstreams.probe();
  t.is(upstreams.getState(upstreams.writer), 'ok');
  t.is((await ask('proxy', write)).status, 200);
  setGenesis(writer, { hash: `0x${'cd'.repeat(32)}` });
  await upstreams.probe();
  t.is(upstreams.getState(upstreams.writer), 'ok', 'not with each probe');
  upstreams.writer.chainCheckAt -= 60_000;
  await upstreams.probe();
  t.is(upstreams.getState(upstreams.writer), 'out', 'but each minute');
});

test('methods that use accounts of the node are not offered, and raw transactions are', async (t) => {
  const node = await startAt(t, 1_000);
  const { ask } = await open(t, { writerUrl: node.url, readUrls: [node.url] });
  const refused = [
    ...['eth_sendTransaction', 'eth_sendUnsignedTransaction', 'eth_sendTransactionSync', 'eth_resend'],
    ...['eth_sign', 'eth_signTransaction', 'eth_signTypedData_v4', 'eth_accounts', 'eth_coinbase'],
    ...['eth_submitWork', 'eth_submitHashrate', 'eth_SendTransaction'],
  ];
  node.asked.length = 0;
  for (const method of refused) {
    for (const target of ['writer', 'proxy'] as const)
      t.like(await ask(target, call(method)), { status: 200, error: { code: -32601 } }, method);
    const isWrite = !/accounts|coinbase/.test(method);
    const onReadPool = await ask('reads', call(method));
    t.like(onReadPool, { status: isWrite ? 405 : 200, error: { code: -32601 } }, method);
    t.is(onReadPool.error.message, `the method ${method} is not available`);
  }
  t.deepEqual(node.asked, []);
  for (const method of ['eth_sendRawTransaction', 'eth_sendRawTransactionSync', 'eth_sendRawTransactionConditional'])
    t.is((await ask('writer', call(method))).result, '0x3e8', method);
});

test('/api/rpc says when to try again if too many calls wait, but not over a rate limit', async (t) => {
  const node = await startAt(t, 1_000);
  const { upstreams } = await open(t, { writerUrl: node.url, readUrls: [node.url] });
  const post = async (body: string, isCharged = true) => {
    const request = { body, caller: 'test', gone: undelivered, charge: async () => isCharged };
    const reply = await postRpc.handle({ upstreams }, request as never);
    return reply instanceof OtherReply ? [reply.status, reply.headers] : reply;
  };
  const all = await Promise.all(Array.from({ length: 129 }, () => post(readNumber)));
  t.deepEqual(
    all.slice(0, 128),
    Array.from({ length: 128 }, () => [200, {}]),
  );
  t.deepEqual(all[128], [429, { 'Retry-After': '1' }]);
  // charge() sets the header to the exact end of the limit
  t.deepEqual(await post(`[${readNumber},${readNumber}]`, false), [429, {}]);
});

test('a refused method is not reported as perhaps sent if the other calls of its batch fail', async (t) => {
  const node = await startAt(t, undefined);
  const { upstreams } = await open(t, { writerUrl: node.url, readUrls: [node.url] });
  const { body } = await forwardRpc(upstreams, 'writer', `[${call('eth_sendTransaction')},${readNumber}]`, caller);
  t.notRegex(String(body), /may have been sent/);
});
