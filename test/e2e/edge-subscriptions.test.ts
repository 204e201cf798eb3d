import test from 'ava';
import { WebSocket } from 'ws';
import { toQuantity } from '#chain/codec/hex.ts';
import type { DevChain } from '#devchain/devchain.ts';
import { Random } from '#devchain/random.ts';
import { pause } from '#runtime/shutdown.ts';
import { type RunningEdge, startEdge } from '#test/helpers/edge.ts';
import { startFaultyProxy } from '#test/helpers/faulty-proxy.ts';
import { waitFor } from '#test/helpers/processes.ts';
import { headReader, startDevChain } from '#test/helpers/service.ts';
import { WebSocketProxy } from '#test/helpers/web-socket-proxy.ts';

let chain: DevChain;
let edge: RunningEdge;

test.before(async () => {
  chain = await startDevChain({ blocks: 30, seed: 5 });
  edge = await startEdge({ writerUrl: chain.rpc.url });
});

test.after.always(async () => {
  await edge?.stop();
  await chain?.stop();
});

async function subscribe(url: string, params: unknown[]) {
  const socket = new WebSocket(url);
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  // biome-ignore lint/suspicious/noExplicitAny: events of the node
  const events: any[] = [];
  let isSubscribed = false;
  socket.on('message', (data) => {
    const message = JSON.parse(data.toString());
    if (message.id === 1) isSubscribed = message.result !== undefined;
    if (message.method === 'eth_subscription') events.push(message.params.result);
  });
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params }));
  await waitFor(async () => isSubscribed, 30_000, 'the subscription is confirmed');
  return { socket, events };
}

test.serial('subscriptions survive the loss of a node with every head and log once, in order', async (t) => {
  const gate = await WebSocketProxy.start(chain.rpc.url.replace('http', 'ws'));
  const own = await startEdge({ writerUrl: chain.rpc.url, wsUrl: gate.url });
  const heads = await subscribe(own.wsUrl, ['newHeads']);
  const logs = await subscribe(own.wsUrl, ['logs', {}]);
  const before = Number(await chain.rpc.call('eth_blockNumber', []));
  await chain.mineLive(3);
  await waitFor(async () => heads.events.length === 3, 30_000, 'three heads');
  gate.cut();
  await chain.mineLive(4);
  await waitFor(async () => heads.events.length === 7, 30_000, 'the missed heads');
  await chain.mineLive(2);
  await waitFor(async () => heads.events.length >= 9, 30_000, 'new heads');
  gate.cut();
  await chain.reorg(3);
  await chain.mineLive(1);
  const top = Number(await chain.rpc.call('eth_blockNumber', []));
  await waitFor(async () => Number(heads.events.at(-1)?.number) === top, 30_000, 'the head after the reorg');
  t.deepEqual(
    heads.events.slice(0, 9).map((head) => Number(head.number)),
    Array.from({ length: 9 }, (_, i) => before + 1 + i),
  );
  const hashes = new Map(heads.events.map((head) => [Number(head.number), head.hash]));
  for (let number = before + 1; number <= top; number++) {
    const block = await chain.rpc.call<{ hash: string }>('eth_getBlockByNumber', [`0x${number.toString(16)}`, false]);
    t.is(hashes.get(number), block.hash, `block ${number}`);
  }
  const expected = await chain.rpc.call<{ blockHash: string; logIndex: string }[]>('eth_getLogs', [
    { fromBlock: `0x${(before + 1).toString(16)}`, toBlock: 'latest' },
  ]);
  const keys = () => logs.events.filter((log) => !log.removed).map((log) => `${log.blockHash}:${log.logIndex}`);
  const isComplete = () => expected.every((log) => keys().includes(`${log.blockHash}:${log.logIndex}`));
  await waitFor(isComplete, 30_000, 'the logs of all blocks');
  t.is(new Set(keys()).size, keys().length, 'no log twice');
  heads.socket.close();
  logs.socket.close();
  await own.stop();
  await gate.stop();
});

test.serial('a loss between the head of a block and its logs loses no log', async (t) => {
  const gate = await WebSocketProxy.start(chain.rpc.url.replace('http', 'ws'));
  const own = await startEdge({ writerUrl: chain.rpc.url, wsUrl: gate.url });
  const heads = await subscribe(own.wsUrl, ['newHeads']);
  const logs = await subscribe(own.wsUrl, ['logs', {}]);
  const before = await headReader(chain)();
  await chain.mineLive(2);
  await waitFor(() => heads.events.length === 2, 30_000, 'two heads');
  gate.drops = (text) => text.includes('"logIndex"');
  await chain.mineLive(3);
  await waitFor(() => heads.events.length === 5, 30_000, 'five heads');
  gate.drops = () => false;
  gate.cut();
  const expected = await chain.rpc.call<unknown[]>('eth_getLogs', [{ fromBlock: toQuantity(before + 1) }]);
  await waitFor(() => logs.events.length >= expected.length, 30_000, 'the logs of five blocks');
  await chain.mineLive(1);
  await waitFor(() => heads.events.length === 6, 30_000, 'the next head');
  const numbers = logs.events.map((log) => Number(log.blockNumber));
  const keys = logs.events.map((log) => `${log.blockHash}:${log.logIndex}`);
  t.is(new Set(keys).size, keys.length, 'no log twice');
  t.deepEqual(
    numbers,
    numbers.toSorted((a, b) => a - b),
  );
  heads.socket.close();
  logs.socket.close();
  await own.stop();
  await gate.stop();
});

test.serial('a second loss while missed heads are read loses none of them', async (t) => {
  const gate = await WebSocketProxy.start(chain.rpc.url.replace('http', 'ws'));
  const quiet = { target: chain.rpc.url, random: new Random(1), share: 1, budget: 1_000_000 };
  const slow = await startFaultyProxy({ ...quiet, fault: null });
  const own = await startEdge({ writerUrl: slow.url, readUrls: [chain.rpc.url], wsUrl: gate.url });
  const heads = await subscribe(own.wsUrl, ['newHeads']);
  const before = await headReader(chain)();
  await chain.mineLive(2);
  await waitFor(() => heads.events.length === 2, 30_000, 'two heads');
  let asked = 0;
  slow.setFault(async ({ calls }): Promise<'untouched'> => {
    if (calls.some(({ method }) => method === 'eth_getBlockByNumber') && asked++ > 1) await pause(500);
    return 'untouched';
  }, 1_000_000);
  gate.cut();
  await chain.mineLive(10);
  await waitFor(() => asked > 2, 30_000, 'the missed heads are read');
  await chain.mineLive(1); // its event waits for the missed heads
  await pause(200);
  gate.cut();
  slow.setFault(null);
  await waitFor(() => heads.events.length >= 13, 30_000, 'all heads');
  t.deepEqual(
    heads.events.map((head) => Number(head.number)),
    heads.events.map((_, i) => before + 1 + i),
  );
  heads.socket.close();
  await own.stop();
  await Promise.all([gate.stop(), slow.stop()]);
});

test.serial('node that is behind after a lost connection retracts no log', async (t) => {
  const gate = await WebSocketProxy.start(chain.rpc.url.replace('http', 'ws'));
  const quiet = { target: chain.rpc.url, random: new Random(1), share: 1, budget: 1_000_000 };
  const late = await startFaultyProxy({ ...quiet, fault: null });
  const own = await startEdge({ writerUrl: late.url, readUrls: [chain.rpc.url], wsUrl: gate.url });
  const heads = await subscribe(own.wsUrl, ['newHeads']);
  const logs = await subscribe(own.wsUrl, ['logs', {}]);
  const before = await headReader(chain)();
  await chain.mineLive(4);
  await waitFor(() => heads.events.length === 4 && logs.events.length > 0, 30_000, 'four heads');
  let asked = 0;
  late.setFault(({ calls, replies }) => {
    for (const [i, { method, params }] of calls.entries())
      if (method === 'eth_getBlockByNumber' && Number(params[0]) > before + 2) {
        replies[i].result = null;
        asked++;
      }
    return asked > 0 ? 'changed' : 'untouched';
  }, 1_000_000);
  gate.cut();
  await waitFor(() => asked >= 4, 30_000, 'the edge asked twice for the blocks that the node lacks');
  late.setFault(null);
  await waitFor(
    async () => {
      await chain.mineLive(1);
      return Number(heads.events.at(-1)?.number) === (await headReader(chain)());
    },
    30_000,
    'new heads',
  );
  const numbers = heads.events.map((head) => Number(head.number));
  t.deepEqual(
    numbers,
    numbers.map((_, i) => before + 1 + i),
    'each head once',
  );
  t.deepEqual(
    logs.events.filter((log) => log.removed),
    [],
  );
  heads.socket.close();
  logs.socket.close();
  await own.stop();
  await Promise.all([gate.stop(), late.stop()]);
});

test.serial(
  'pending subscriptions deliver hashes or full transactions, also when the node sends only hashes',
  async (t) => {
    // simulates a node that does not support full pending transactions
    const gate = await WebSocketProxy.start(chain.rpc.url.replace('http', 'ws'), (text) =>
      text.replace('["newPendingTransactions",true]', '["newPendingTransactions"]'),
    );
    const own = await startEdge({ writerUrl: chain.rpc.url, wsUrl: gate.url });
    const hashes = await subscribe(edge.wsUrl, ['newPendingTransactions']);
    const whole = await subscribe(edge.wsUrl, ['newPendingTransactions', true]);
    const asked = await subscribe(own.wsUrl, ['newPendingTransactions', true]);
    const [from] = await chain.rpc.call<string[]>('eth_accounts', []);
    const hash = await chain.rpc.call<string>('eth_sendTransaction', [{ from, to: from, value: '0x7' }]);
    for (const { events } of [hashes, whole, asked])
      await waitFor(() => events.length > 0, 30_000, 'the pending transaction');
    t.deepEqual(hashes.events, [hash]);
    for (const { events } of [whole, asked]) {
      t.is(events.length, 1);
      t.like(events[0], { hash, from, to: from, value: '0x7', blockHash: null, blockNumber: null });
    }
    await chain.mineLive(1);
    for (const { socket } of [hashes, whole, asked]) socket.close();
    await own.stop();
    await gate.stop();
  },
);

test.serial('subscriptions filter logs, other calls pass, and unsubscribing ends them', async (t) => {
  const all = await subscribe(edge.wsUrl, ['logs', {}]);
  const logsAbove = (block: number) => chain.rpc.call<unknown[]>('eth_getLogs', [{ fromBlock: toQuantity(block + 1) }]);
  const first = await headReader(chain)();
  // a block of the dev chain may have no logs
  do await chain.mineLive(1);
  while ((await logsAbove(first)).length === 0);
  await waitFor(async () => all.events.length > 0, 30_000, 'logs');
  const { address, topics } = all.events[0];
  const some = await subscribe(edge.wsUrl, [
    'logs',
    { address: [address], topics: [[topics[0], `0x${'0'.repeat(64)}`]] },
  ]);
  const before = await headReader(chain)();
  await chain.mineLive(4);
  const behind = (log: { blockNumber: string }) => Number(log.blockNumber) > before;
  const mined = await logsAbove(before);
  await waitFor(() => all.events.filter(behind).length >= mined.length, 30_000, 'all logs of four blocks');
  const wanted = all.events.filter((log) => behind(log) && log.address === address && log.topics[0] === topics[0]);
  t.true(wanted.length < mined.length);
  await waitFor(() => some.events.filter(behind).length >= wanted.length, 30_000, 'the selected ones of them');
  t.deepEqual(some.events.filter(behind), wanted);
  const answers: string[] = [];
  some.socket.on('message', (data) => answers.push(data.toString()));
  some.socket.send('{"jsonrpc":"2.0","id":9007199254740993,"method":"eth_chainId"}');
  some.socket.send('{"jsonrpc":"2.0","id":3,"method":"eth_subscribe","params":["syncing"]}');
  some.socket.send('nonsense');
  await waitFor(async () => answers.length >= 3, 30_000, 'answers');
  t.true(answers.some((answer) => answer.includes('9007199254740993') && answer.includes('0x425d4')));
  t.true(answers.some((answer) => answer.includes('-32602')) && answers.some((answer) => answer.includes('-32700')));
  const addresses = Array.from({ length: 1_000 }, (_, i) => `0x${String(i).padStart(40, '0')}`);
  const large = { jsonrpc: '2.0', id: 7, method: 'eth_subscribe', params: ['logs', { address: addresses }] };
  some.socket.send(JSON.stringify(Array.from({ length: 5 }, () => large)));
  await waitFor(async () => answers.some((answer) => answer.startsWith('[')), 30_000, 'the answer of the batch');
  const batch = JSON.parse(answers.find((answer) => answer.startsWith('['))!);
  // the first subscription already counts three choices
  t.deepEqual(
    batch.map((reply: { result?: string }) => reply.result !== undefined),
    [true, true, true, true, false],
  );
  t.regex(batch[4].error.message, /too many addresses and topics: the limit is 5000 per connection/);
  all.socket.close();
  some.socket.close();
});

test.serial('a batch with a subscription executes nothing on the read pool if it contains a write', async (t) => {
  const socket = new WebSocket(new URL('/v1/read', edge.wsUrl));
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  // biome-ignore lint/suspicious/noExplicitAny: messages of the edge
  const messages: any[] = [];
  socket.on('message', (data) => messages.push(JSON.parse(data.toString())));
  const call = (id: number, method: string, params: unknown[]) => ({ jsonrpc: '2.0', id, method, params });
  const subscribe = call(1, 'eth_subscribe', ['newHeads']);
  socket.send(JSON.stringify([subscribe, call(2, 'eth_sendRawTransaction', ['0x00']), call(3, 'eth_chainId', [])]));
  await waitFor(() => messages.length === 1, 10_000, 'a reply');
  t.deepEqual(
    messages[0].map(({ id, error }: { id: number; error: { code: number } }) => [id, error.code]),
    [
      [1, -32600],
      [2, -32601],
      [3, -32600],
    ],
  );
  socket.send(JSON.stringify([subscribe, call(2, 'eth_chainId', []), call(3, 'eth_blockNumber', [])]));
  await waitFor(() => messages.length === 2, 10_000, 'a reply');
  t.deepEqual(messages[1].map(({ id }: { id: number }) => id).toSorted(), [1, 2, 3]);
  t.true(messages[1].every(({ error }: { error: unknown }) => error === undefined));
  socket.close();
});
