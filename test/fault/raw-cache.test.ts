import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import test from 'ava';
import fc from 'fast-check';
import { findGaps } from '#chain/intervals.ts';
import { RawCache } from '#chain/raw-cache/raw-cache.ts';
import type { DevChain } from '#devchain/devchain.ts';
import { Random } from '#devchain/random.ts';
import type { Database } from '#sql/client.ts';
import { type Fault, startFaultyProxy } from '#test/helpers/faulty-proxy.ts';
import { runCordscan, scratchFolder, waitFor } from '#test/helpers/processes.ts';
import {
  chainId,
  headReader,
  startDevChain,
  startPipeline,
  startTestEngine,
  type TestEngine,
} from '#test/helpers/service.ts';

let engine: TestEngine;
let chain: DevChain;
let directory: string;

test.before(async () => {
  [engine, chain, directory] = await Promise.all([
    startTestEngine(),
    startDevChain({ blocks: 150 }),
    scratchFolder('cordscan-raw-cache'),
  ]);
});

test.after.always(async () => {
  await chain?.stop();
  await engine?.stop();
  await rm(directory, { recursive: true, force: true });
});

const baseTables = ['blocks', 'transactions', 'logs', 'address_roles', 'token_transfers'];

/** Every test stores at least the blocks up to this number as finalized. */
const commonBlocks = 150;

/** Returns a digest of the finalized rows per table. */
async function readDigests(database: Database): Promise<unknown[]> {
  const digest = (table: string) => ({
    name: 'digest',
    serves: [],
    parameters: [],
    budget: { maxSeconds: 60, maxMemoryBytes: 2 ** 30, maxResultRows: 1 },
    sql: `SELECT count() AS rows, sum(cityHash64(toString(tuple(*)))) AS digest FROM ${table} WHERE final = 1 AND block_number <= ${commonBlocks}`,
  });
  return (await Promise.all(baseTables.map((table) => database.read(digest(table))))).flat();
}

const openCache = async () => {
  const [genesis] = await RawCache.chains(directory, chainId);
  return RawCache.open(directory, { id: chainId, genesis: genesis! });
};

test.serial('stores all finalized blocks, those of the backfill and those of the head', async (t) => {
  const database = await engine.open('first');
  const settings = { rawCache: { directory, isReadOnly: false }, fillCacheEveryMs: 100 };
  const pipeline = startPipeline({ database, urls: [chain.rpc.url], settings });
  t.teardown(() => pipeline.stop());
  await pipeline.caughtUp(headReader(chain));
  await chain.mineLive(80);
  const { finalized } = await pipeline.caughtUp(headReader(chain));
  // fewer than 50 new blocks create no file yet
  const isComplete = async () => (await openCache()).missing({ fromBlock: 0, toBlock: finalized - 49 }).length === 0;
  await waitFor(isComplete, 20_000, 'the raw cache is complete');
  await pipeline.stop();
  const cached = await (await openCache()).read({ fromBlock: 17, toBlock: 17 });
  t.deepEqual(cached?.[0]?.[0], await chain.rpc.call('eth_getBlockByNumber', ['0x11', true]));
});

test.serial('a second index asks the node only for the blocks of a damaged file', async (t) => {
  const cache = await openCache();
  const damaged = cache.intervals[0]!.fromBlock === 0 ? cache.endOfFile(40)! : -1;
  const folder = join(cache.directory, '0');
  const name = (await readdir(folder)).find((file) => file.includes(`-${damaged}-`))!;
  const bytes = await readFile(join(folder, name));
  bytes[bytes.length >> 1]! ^= 1;
  await writeFile(join(folder, name), bytes);
  const asked = new Set<number>();
  const record: Fault = ({ calls }) => {
    for (const { method, params } of calls)
      if (method === 'eth_getBlockReceipts' && /^0x[0-9a-f]{1,8}$/.test(params[0])) asked.add(Number(params[0]));
    return 'untouched';
  };
  const options = { random: new Random(1), share: 1, budget: Number.POSITIVE_INFINITY };
  const proxy = await startFaultyProxy({ ...options, target: chain.rpc.url, fault: record });
  t.teardown(() => proxy.stop());
  const database = await engine.open('second');
  const pipeline = startPipeline({
    database,
    urls: [proxy.url],
    settings: { rawCache: { directory, isReadOnly: false } },
  });
  t.teardown(() => pipeline.stop());
  await pipeline.caughtUp(headReader(chain));
  await pipeline.stop();
  const fromFile = Number(name.split('-')[0]);
  const last = cache.intervals[0]!.toBlock;
  const again = [...asked].filter((block) => block < last && (block < fromFile || block > damaged));
  t.deepEqual(again, []);
  t.true(asked.has(damaged));
  t.deepEqual(await readDigests(database), await readDigests(await engine.open('first')));
});

test.serial(
  'cordscan index --from-cache indexes without a node and ends, and verify --from-cache agrees',
  async (t) => {
    const env = {
      RPC_URL: 'http://127.0.0.1:9', // no node listens here
      CLICKHOUSE_URL: engine.url,
      CLICKHOUSE_DATABASE: 'third',
      RAW_CACHE_DIR: directory,
      TRACES: 'off',
    };
    const index = await runCordscan(['index', '--from-cache'], env);
    t.is(index.code, 0, index.output);
    const [first, third] = await Promise.all([engine.open('first'), engine.open('third')]);
    t.deepEqual(await readDigests(third), await readDigests(first));
    const verify = await runCordscan(['verify', '--from-cache'], env);
    t.is(verify.code, 0, verify.output);
    t.regex(verify.output, /: 0 differences/);
    const other = await runCordscan(['index', '--from-cache'], {
      ...env,
      CHAIN_ID: '5',
      CLICKHOUSE_DATABASE: 'fourth',
    });
    t.is(other.code, 2);
    t.regex(other.output, /RAW_CACHE_DIR .* has no blocks of chain 5/);
  },
);

test.serial('cordscan index --from-cache ends with an error if a block of the cache is damaged', async (t) => {
  const copy = `${directory}-copy`;
  t.teardown(() => rm(copy, { recursive: true, force: true }));
  await cp(directory, copy, { recursive: true });
  const folder = join(copy, relative(directory, (await openCache()).directory), '0');
  const isOfBlock = (file: string) => file.startsWith('0-'); // files may overlap
  for (const name of (await readdir(folder)).filter(isOfBlock)) await writeFile(join(folder, name), 'damaged');
  const index = await runCordscan(['index', '--from-cache'], {
    RPC_URL: 'http://127.0.0.1:9',
    CLICKHOUSE_URL: engine.url,
    CLICKHOUSE_DATABASE: 'damaged',
    RAW_CACHE_DIR: copy,
    TRACES: 'off',
  });
  t.is(index.code, 1, index.output);
  t.regex(index.output, /block \d+ of the raw cache is invalid: its file is damaged; index from a node/);
});

test.serial('blocks that the nodes have replaced are removed from the cache', async (t) => {
  const cache = await openCache();
  const { fromBlock, toBlock } = cache.intervals[0]!;
  const head = await headReader(chain)();
  await chain.reorg(head - toBlock + 10);
  await chain.mineLive(60);
  const pipeline = startPipeline({
    database: await engine.open('fifth'),
    urls: [chain.rpc.url],
    settings: { rawCache: { directory, isReadOnly: false } },
  });
  t.teardown(() => pipeline.stop());
  await pipeline.caughtUp(headReader(chain));
  t.deepEqual((await pipeline.verify({ baseOnly: true })).differences, []);
  const [raw] = (await (await openCache()).read({ fromBlock: toBlock, toBlock })) ?? [];
  const now = await chain.rpc.call<{ hash: string }>('eth_getBlockByNumber', [`0x${toBlock.toString(16)}`, false]);
  t.is(raw?.[0]?.hash ?? now.hash, now.hash);
  t.is((await openCache()).intervals[0]!.fromBlock, fromBlock);
});

test.serial('a rewind also removes the blocks from the cache, because their rows may be wrong', async (t) => {
  const settings = { CLICKHOUSE_URL: engine.url, CLICKHOUSE_DATABASE: 'third', RAW_CACHE_DIR: directory };
  const { code, output } = await runCordscan(['rewind', '40'], settings);
  t.is(code, 0, output);
  const { intervals } = await openCache();
  t.true(intervals.length > 0 && intervals.every(({ toBlock }) => toBlock <= 40), JSON.stringify(intervals));
});

test('reads back what was written, in any order and with overlaps', async (t) => {
  const folder = await scratchFolder('cordscan-raw-files');
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const ranges = fc.array(fc.record({ from: fc.nat(60), size: fc.integer({ min: 1, max: 15 }) }), { maxLength: 12 });
  let run = 0;
  await fc.assert(
    fc.asyncProperty(ranges, async (written) => {
      const chainOfRun = { id: run++, genesis: '0x00' };
      const cache = await RawCache.open(folder, chainOfRun);
      const intervals = written.map(({ from, size }) => ({ fromBlock: from, toBlock: from + size - 1 }));
      for (const { fromBlock, toBlock } of intervals) {
        const lines = Array.from({ length: toBlock - fromBlock + 1 }, (_, i) => JSON.stringify([fromBlock + i, []]));
        await cache.write(fromBlock, lines);
      }
      const again = await RawCache.open(folder, chainOfRun);
      const whole = { fromBlock: 0, toBlock: 80 };
      t.deepEqual(again.missing(whole), findGaps(whole, intervals));
      for (const interval of again.intervals) {
        const numbers = (await again.read(interval))?.map(([block]) => block as unknown as number);
        t.deepEqual(
          numbers,
          Array.from({ length: interval.toBlock - interval.fromBlock + 1 }, (_, i) => interval.fromBlock + i),
        );
      }
      await again.remove({ fromBlock: 20, toBlock: 30 });
      t.true(again.intervals.every(({ fromBlock, toBlock }) => toBlock < 20 || fromBlock > 30));
    }),
    { numRuns: 30 },
  );
});
