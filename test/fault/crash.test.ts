/** kill -9 of pipeline and database during the backfill: a short set; `npm run bench -- crash --kills N` is the long one. */
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import type { DevChain } from '#runtime/devchain/devchain.ts';
import { Random } from '#runtime/devchain/random.ts';
import { spawnCordscan } from '#test/helpers/processes.ts';
import { headOf, startDevChain, startPipeline, startTestEngine, type TestEngine } from '#test/helpers/service.ts';

const seed = Number(process.env.SEED ?? 99);
const kills = Number(process.env.KILLS ?? 8);

let engine: TestEngine;
let chain: DevChain;

test.before(async (t) => {
  t.log(`seed ${seed}, ${kills} kills`);
  [engine, chain] = await Promise.all([startTestEngine(), startDevChain({ blocks: 600, seed })]);
});

test.after.always(async () => {
  await chain?.stop();
  await engine?.stop();
});

test('killed at random moments, started again, and every row is there once', async (t) => {
  const random = new Random(seed);
  const database = await engine.open('crash');
  const env = {
    ...{ RPC_URL: chain.rpc.url, CLICKHOUSE_URL: engine.url, CLICKHOUSE_DATABASE: 'crash' },
    ...{ INSERT_TARGET_ROWS: '500', RPC_BATCH_BLOCKS: '5' },
  };
  for (let i = 0; i < kills; i++) {
    const child = spawnCordscan(['index'], env);
    await sleep(random.between(900, 2_600));
    if (random.chance(0.4)) {
      engine.kill();
      await sleep(random.between(0, 800));
    }
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('exit', resolve));
  }
  const pipeline = startPipeline({ database, urls: [chain.rpc.url] });
  await pipeline.caughtUp(headOf(chain), 90_000);
  const report = await pipeline.verify();
  t.deepEqual(report.differences, []);
  t.is(report.blocks, 601);
  await pipeline.stop();
});

test('SIGTERM ends the pipeline cleanly with exit code 0', async (t) => {
  const child = spawnCordscan(['index'], {
    RPC_URL: chain.rpc.url,
    CLICKHOUSE_URL: engine.url,
    CLICKHOUSE_DATABASE: 'sigterm',
  });
  await sleep(2_500);
  child.kill('SIGTERM');
  t.is(await new Promise((resolve) => child.once('exit', resolve)), 0);
});
