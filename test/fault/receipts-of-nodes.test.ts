import test, { type ExecutionContext } from 'ava';
import { fetchBlocks } from '#chain/rpc/fetch-blocks.ts';
import { RpcClient } from '#chain/rpc/rpc-client.ts';
import type { DevChain } from '#devchain/devchain.ts';
import { Random } from '#devchain/random.ts';
import { startFaultyProxy } from '#test/helpers/faulty-proxy.ts';
import { startDevChain } from '#test/helpers/service.ts';

const seed = Number(process.env.SEED ?? 9);
let chain: DevChain;

test.before(async (t) => {
  t.log(`seed ${seed}`);
  chain = await startDevChain({ blocks: 50, seed });
});
test.after.always(() => chain?.stop());

/** Starts nodes without eth_getBlockReceipts. Each has pruned the receipts below another block. */
async function startNodes(t: ExecutionContext, ...firstKept: readonly number[]) {
  const nodes = await Promise.all(
    firstKept.map((first) =>
      startFaultyProxy({
        target: chain.rpc.url,
        random: new Random(seed),
        share: 1,
        budget: Number.POSITIVE_INFINITY,
        fault: ({ calls, replies }) => {
          for (const [i, { method }] of calls.entries()) {
            const { id, jsonrpc, result } = replies[i];
            const fail = (code: number, message: string) => {
              replies[i] = { id, jsonrpc, error: { code, message } };
            };
            if (method === 'eth_getBlockReceipts') fail(-32601, 'unknown');
            if (method === 'eth_getTransactionReceipt' && Number(result?.blockNumber) < first)
              fail(4444, 'pruned history unavailable');
          }
          return 'changed';
        },
      }),
    ),
  );
  const client = new RpcClient({ urls: nodes.map(({ url }) => url), timeoutMs: 5_000, maxInFlight: 4 });
  t.teardown(async () => {
    await client.close();
    await Promise.all(nodes.map((node) => node.stop()));
  });
  return { client, nodes, endpoints: client.endpoints };
}

test.serial('receipts that the first endpoint has pruned come from the second, one by one', async (t) => {
  const { client } = await startNodes(t, 30, 0);
  for (const block of [5, 6, 40]) {
    const { bundles } = await fetchBlocks(client, block, block, { verify: 'links' });
    t.is(bundles[0]?.receipts.length, bundles[0]?.block.transactions.length);
  }
});

test.serial('a node without eth_getBlockReceipts serves blocks while the other node is down', async (t) => {
  const { client, nodes, endpoints } = await startNodes(t, 0, 0);
  await fetchBlocks(client, 5, 5, { verify: 'links', endpoint: endpoints[0]! });
  await nodes[1]!.stop();
  const { bundles, endpoint } = await fetchBlocks(client, 6, 7, { verify: 'links', retries: 1 });
  t.is(bundles.length, 2);
  t.is(endpoint, endpoints[0]!);
});

test.serial('receipts that one node has pruned and the other does not have yet are an error, not a loop', async (t) => {
  const { client, endpoints } = await startNodes(t, 30, 0);
  endpoints[0]!.setHead(40);
  endpoints[1]!.setHead(4);
  await t.throwsAsync(fetchBlocks(client, 5, 5, { verify: 'links', retries: 1 }), { message: /pruned history/ });
});
