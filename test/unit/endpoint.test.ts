import test from 'ava';
import { TransportError } from '#chain/errors.ts';
import { Endpoint } from '#chain/rpc/endpoint.ts';
import { RpcClient } from '#chain/rpc/rpc-client.ts';
import { ChainWindow } from '#pipeline/follow/chain-window.ts';
import { assertUndisputed } from '#pipeline/follow/finalized-comparison.ts';
import { withDeadline } from '#runtime/signals.ts';

const trace = { method: 'debug_traceBlockByHash', params: [] };
const block = { method: 'eth_getBlockByNumber', params: [] };

/** Does not answer traces until `giveUp`. */
function silentAboutTraces() {
  let fail: (error: Error) => void = () => {};
  const given = new Promise<never>((_, reject) => (fail = reject));
  given.catch(() => {});
  const transport = {
    post: async (body: string) => {
      const { id, method } = JSON.parse(body);
      if (method === trace.method) return given;
      return Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, result: 'a block' }));
    },
    close: async () => {},
  };
  return { transport, giveUp: () => fail(new TransportError('timeout', 'no reply')) };
}

test('traces that a node does not answer in time neither delay its blocks nor count against it', async (t) => {
  const { transport, giveUp } = silentAboutTraces();
  const endpoint = new Endpoint({ url: 'http://node', timeoutMs: 1_000, maxInFlight: 4, transport });
  const traces = Array.from({ length: 10 }, () => t.throwsAsync(endpoint.send([trace])));
  t.deepEqual(await endpoint.send([block]), ['a block']);
  const { inFlightLimit } = endpoint.health;
  giveUp();
  await Promise.all(traces);
  t.true(endpoint.available);
  t.like(endpoint.health, { healthy: true, inFlightLimit, failures: 0, lastFault: undefined });
});

test('an endpoint on another branch counts again only when it has the same block at that height', (t) => {
  const endpoint = new Endpoint({ url: 'http://node', timeoutMs: 1_000, maxInFlight: 4 });
  endpoint.reportBranch(90);
  t.false(endpoint.isOnOtherBranch);
  endpoint.reportBranch(100, 'another block');
  endpoint.reportBranch(120, 'another block');
  endpoint.reportValid();
  endpoint.reportBranch(110);
  t.true(endpoint.isOnOtherBranch, 'block 110 proves nothing about block 120');
  t.false(endpoint.health.healthy);
  endpoint.reportBranch(120);
  t.false(endpoint.isOnOtherBranch);
});

test('one of three endpoints cannot raise the newest head far above the others', (t) => {
  const client = new RpcClient({ urls: [1, 2, 3].map((n) => `http://node${n}`), timeoutMs: 1_000, maxInFlight: 2 });
  const setHeads = (...heads: number[]) => {
    for (const [i, head] of heads.entries()) client.endpoints[i]!.setHead(head);
  };
  t.is(client.newestHead, -1);
  client.endpoints[0]!.setHead(5_000);
  client.endpoints[0]!.heardAt = performance.now() - 3_600_000;
  t.is(client.newestHead, 5_000, 'an old head is better than none');
  setHeads(100, 105, 103);
  t.is(client.newestHead, 105);
  setHeads(100, 50_000_000, 103);
  t.is(client.newestHead, 103);
  client.endpoints[1]!.heardAt = performance.now() - 3_600_000;
  client.endpoints[2]!.heardAt = performance.now() - 3_600_000;
  t.is(client.newestHead, 100, 'heads of nodes that no longer answer are old');
});

test('a trace with a deadline does not wait for a place behind traces without an answer', async (t) => {
  const { transport, giveUp } = silentAboutTraces();
  const endpoint = new Endpoint({ url: 'http://node', timeoutMs: 1_000, maxInFlight: 4, transport });
  const first = t.throwsAsync(endpoint.send([trace]), { message: 'no reply' });
  const late = withDeadline(50, [], (signal) => endpoint.send([trace], signal));
  t.is(await late.catch((error: Error) => error.name), 'TimeoutError');
  const waiting = t.throwsAsync(endpoint.send([trace]), { message: 'no reply' });
  giveUp();
  await Promise.all([first, waiting]);
});

test('a block that most endpoints contradict is not final, and one that a majority has is', async (t) => {
  const client = new RpcClient({ urls: [1, 2, 3].map((n) => `http://node${n}`), timeoutMs: 1_000, maxInFlight: 2 });
  const hash = (digit: string) => `0x${digit.repeat(64)}`;
  const finalized = { number: 8, hash: hash('a'), parentHash: hash('0'), timestamp: 1 };
  const next = { number: 9, hash: hash('b'), parentHash: hash('a'), timestamp: 2 };
  const window = new ChainWindow([finalized, next]);
  let hashes = ['b', 'b', 'c'];
  const call = async (_: string, __: unknown, { endpoint }: { endpoint: Endpoint }) => {
    const own = hash(hashes[client.endpoints.indexOf(endpoint)]!);
    return { number: '0x9', hash: own, parentHash: hash('a'), timestamp: '0x2' };
  };
  const deps = {
    client: Object.assign(Object.create(client), { endpoints: client.endpoints, call }),
    signal: new AbortController().signal,
  };
  t.is(await assertUndisputed(deps as never, window, 9), hash('b'));
  hashes = ['c', 'b', 'c'];
  await t.throwsAsync(assertUndisputed(deps as never, window, 9), {
    message: /block 9 has hash 0xb+, but 0xc+ on node1/,
  });
  t.deepEqual(
    client.endpoints.map(({ isOnOtherBranch }) => isOnOtherBranch),
    [false, true, false],
  );
  await t.throwsAsync(assertUndisputed(deps as never, window, 10), { message: /block 10 is not followed/ });
});
