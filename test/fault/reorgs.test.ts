import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import type { DevChain } from '#devchain/devchain.ts';
import { Random } from '#devchain/random.ts';
import { readJournal } from '#pipeline/store/journal.ts';
import { resolveStatement } from '#sql/compile/calls.ts';
import { waitFor } from '#test/helpers/processes.ts';
import {
  headReader,
  type RunningApi,
  type RunningPipeline,
  startApi,
  startDevChain,
  startPipeline,
  startTestEngine,
  type TestEngine,
} from '#test/helpers/service.ts';

const seed = Number(process.env.SEED ?? 77);
const reorgs = Number(process.env.REORGS ?? 10);

let engine: TestEngine;
let chain: DevChain;

test.before(async (t) => {
  t.log(`seed ${seed}, ${reorgs} reorgs`);
  [engine, chain] = await Promise.all([startTestEngine(), startDevChain({ blocks: 140, seed })]);
});

test.after.always(async () => {
  await chain?.stop();
  await engine?.stop();
});

interface Row {
  txHash: string;
  blockNumber: number;
  blockHash: string;
  txIndex: number;
}

async function look(api: RunningApi, address: string, random: Random): Promise<string[]> {
  const wrong: string[] = [];
  const anchors = await api.get('/api/v1/strings?limit=40');
  if (anchors.status !== 200) return anchors.status === 503 ? [] : [`strings: ${anchors.status}`];
  const items = anchors.body.items as { number: number; hash: string; parentHash: string; transactionCount: number }[];
  for (const [i, item] of items.entries()) {
    const below = items[i + 1];
    if (below && (below.number !== item.number - 1 || below.hash !== item.parentHash))
      wrong.push(`anchor ${item.number} does not link`);
  }
  const history = await api.get(`/api/v1/accounts/${address}/transactions?limit=200`);
  if (history.status === 200) {
    const rows = history.body.transactions as Row[];
    if (new Set(rows.map((row) => row.txHash)).size !== rows.length) wrong.push('history shows a transaction twice');
    if (new Set(rows.map((row) => `${row.blockNumber}:${row.txIndex}`)).size !== rows.length)
      wrong.push('history shows a place twice');
    if (rows.some((row) => row.blockHash === '')) wrong.push('history shows a transaction without its block');
  }
  const pick = random.pick(items);
  const listed = await api.get(`/api/v1/transactions?fromBlock=${pick.number}&toBlock=${pick.number}&limit=200`);
  if (listed.status === 200) {
    const rows = listed.body.items as Row[];
    const ofBlock = rows.filter((row) => row.blockHash === pick.hash);
    if (new Set(rows.map((row) => row.blockHash)).size > 1) wrong.push(`block ${pick.number} shows rows of two blocks`);
    if (ofBlock.length > 0 && ofBlock.length !== Math.min(pick.transactionCount, 200))
      wrong.push(`block ${pick.number} shows ${ofBlock.length} of ${pick.transactionCount}`);
  }
  return wrong;
}

test.serial(
  `readers see a consistent chain during ${reorgs} reorgs and reverts of depth 1 to 15 and kills`,
  async (t) => {
    const random = new Random(seed);
    const database = await engine.open('reorgs');
    const start = (): RunningPipeline =>
      startPipeline({ database, urls: [chain.rpc.url], settings: { pollIntervalMs: 30, traces: 'on' } });
    let pipeline = start();
    t.teardown(() => pipeline.stop());
    await pipeline.caughtUp(headReader(chain));
    const api = await startApi(database, [chain.rpc.url]);
    t.teardown(() => api.stop());
    const wrong: string[] = [];
    let looks = 0;
    let isOver = false;
    const readers = Array.from({ length: 2 }, async (_, i) => {
      const own = new Random(seed + i + 1);
      while (!isOver) {
        wrong.push(...(await look(api, chain.world.accounts[own.between(1, 5)]!, own)));
        looks++;
      }
    });
    t.teardown(() => {
      isOver = true;
    });
    const counts = { reorgs: 0, reverts: 0, kills: 0 };
    for (let i = 0; i < reorgs; i++) {
      await chain.mineLive(random.between(1, 3));
      await sleep(random.between(0, 150));
      const depth = random.between(1, 15);
      if (random.chance(0.2)) {
        await chain.revert(Math.min(depth, 8));
        counts.reverts++;
      } else {
        await chain.reorg(depth);
        counts.reorgs++;
      }
      if (random.chance(0.12)) {
        if (random.chance(0.5)) engine.kill();
        await pipeline.stop();
        counts.kills++;
        pipeline = start();
      }
      if (random.chance(0.3)) await chain.mineLive(random.between(1, 4));
    }
    await chain.mineLive(2);
    await pipeline.caughtUp(headReader(chain), 180_000);
    isOver = true;
    await Promise.all(readers);
    t.log({ ...counts, looks });
    t.deepEqual(wrong.slice(0, 5), []);
    t.true(looks > reorgs / 2);
    const report = await pipeline.verify();
    t.deepEqual(report.differences, []);
    t.true(report.calls > 0, 'internal calls went through the reorgs too');
    const kept = await database.read<{ depth: number }>({
      ...resolveStatement('parked_blocks'),
      sql: 'SELECT depth FROM reorgs',
      parameters: [],
    });
    t.true(kept.length > 0, 'reorgs are kept as data');
    await api.stop();
    await pipeline.stop();
  },
);

test.serial('a pure revert to a shorter chain removes the blocks', async (t) => {
  const own = await startDevChain({ blocks: 60, seed: seed + 1 });
  t.teardown(() => own.stop());
  const database = await engine.open('reverts');
  const pipeline = startPipeline({ database, urls: [own.rpc.url] });
  t.teardown(() => pipeline.stop());
  await pipeline.caughtUp(headReader(own));
  const mined = (await own.rpc.call('eth_getBlockByNumber', ['0x3a', false])) as {
    hash: string;
    transactions: string[];
  };
  await own.revert(4);
  const state = await pipeline.caughtUp(headReader(own));
  t.is(state.head, 56);
  t.deepEqual((await pipeline.verify({ baseOnly: true })).differences, []);
  const api = await startApi(database, [own.rpc.url]);
  t.teardown(() => api.stop());
  t.is((await api.get('/api/v1/strings/58')).status, 404);
  const transaction = mined.transactions[0];
  for (const path of [`/transactions/${transaction}`, `/transactions/${transaction}/state`]) {
    const { status, body } = await api.get(`/api/v1${path}`);
    t.is(status, 404);
    t.deepEqual(body.details.orphaned, { blockNumber: 58, blockHash: mined.hash });
  }
  const page = await api.get(`/tx/${transaction}`);
  t.is(page.status, 404);
  t.regex(page.body, new RegExp(`it was in block 58 \\(${mined.hash}\\), which a reorg removed`));
  await api.stop();
  await pipeline.stop();
  await own.stop();
});

test.serial('orphaned anchor is found by its hash, with its replacement', async (t) => {
  const own = await startDevChain({ blocks: 60, seed: seed + 2 });
  t.teardown(() => own.stop());
  const database = await engine.open('orphans');
  const pipeline = startPipeline({ database, urls: [own.rpc.url] });
  t.teardown(() => pipeline.stop());
  await pipeline.caughtUp(headReader(own));
  const api = await startApi(database, [own.rpc.url]);
  t.teardown(() => api.stop());
  const before = (await api.get('/api/v1/strings/59')).body;
  await own.reorg(3);
  await own.mineLive(1);
  await pipeline.caughtUp(headReader(own));
  const orphan = await api.get(`/api/v1/strings/${before.hash}`);
  t.is(orphan.body.canonical, false);
  t.is(orphan.body.replacedBy, (await api.get('/api/v1/strings/59')).body.hash);
  const found = await fetch(`${api.origin}/search?q=${before.hash}`, { redirect: 'manual' });
  t.is(found.headers.get('location'), `/block/${before.hash}`);
  t.regex((await api.get(`/block/${before.hash}`)).body, new RegExp(`href="/block/${orphan.body.replacedBy}"`));
  t.regex((await api.get('/reorgs')).body, new RegExp(`href="/block/${before.hash}"`));
  t.regex(await pipeline.deps.metrics!.registry.metrics(), /^cordscan_reorg_depth_blocks_sum [1-9]/m);
  await api.stop();
  await pipeline.stop();
  await own.stop();
});

test.serial('node that goes back below the finalized height is ignored, and nothing is removed', async (t) => {
  const own = await startDevChain({ blocks: 90, seed: seed + 3 });
  t.teardown(() => own.stop());
  const database = await engine.open('below');
  const pipeline = startPipeline({ database, urls: [own.rpc.url] });
  t.teardown(() => pipeline.stop());
  const before = await pipeline.caughtUp(headReader(own));
  await own.revert(60);
  await sleep(2_500);
  const state = await pipeline.state();
  t.is(state?.finalized, before.finalized);
  t.is(state?.head, before.head);
  t.regex(pipeline.follower()?.holdReason ?? '', /below the finalized block/);
  t.regex(pipeline.deps.metrics!.lateness(100) ?? '', /below the finalized block/, 'it is not ready');
  t.regex(await pipeline.deps.metrics!.registry.metrics(), /^cordscan_pipeline_held 1$/m);
  await own.reorg(5);
  await own.mineLive(70);
  await sleep(1_500);
  t.is((await pipeline.state())?.head, before.head, 'another branch from below is refused too');
  await pipeline.stop();
  await own.stop();
});

test.serial('rewind removes blocks, and the pipeline stores them again', async (t) => {
  const { rewind } = await import('#pipeline/store/rewind.ts');
  const database = await engine.open('rewound');
  const first = startPipeline({ database, urls: [chain.rpc.url], settings: { insertTargetRows: 60, batchBlocks: 10 } });
  t.teardown(() => first.stop());
  const rangesAbove = async () => {
    const ranges = await readJournal(first.deps).catch(() => []); // the table may not exist yet
    return ranges.filter(({ toBlock, state }) => toBlock > 40 && state === 'done').length;
  };
  await waitFor(async () => (await rangesAbove()) > 1, 60_000, 'several ranges above 40 are stored');
  await first.stop();
  await rewind(first.deps, 40);
  t.is((await first.state())?.head, 40);
  t.is(Math.max(...(await readJournal(first.deps)).map(({ toBlock }) => toBlock)), 40, 'no range above is left');
  const second = startPipeline({ database, urls: [chain.rpc.url] });
  t.teardown(() => second.stop());
  for (let i = 0; i < 400 && ((await second.state())?.head ?? 0) < 100; i++) await sleep(50);
  t.deepEqual((await second.verify({ toBlock: 100, baseOnly: true })).differences, []);
  await second.stop();
});
