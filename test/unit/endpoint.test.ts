import test from 'ava';
import { TransportError } from '#chain/errors.ts';
import { Endpoint } from '#chain/rpc/endpoint.ts';

const trace = { method: 'debug_traceBlockByHash', params: [] };
const block = { method: 'eth_getBlockByNumber', params: [] };

/** Never answers traces, until `giveUp`. */
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
