/** `npm run bench -- crash --kills N` runs this test longer. */
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import type { DevChain } from '#devchain/devchain.ts';
import { Random } from '#devchain/random.ts';
import { resolveStatement } from '#sql/compile/calls.ts';
import { readChainState } from '#sql/snapshot.ts';
import { type Json, startFaultyProxy } from '#test/helpers/faulty-proxy.ts';
import { waitForTraces } from '#test/helpers/internal-traffic.ts';
import { spawnCordscan, waitFor } from '#test/helpers/processes.ts';
import {
  headReader,
  startApi,
  startDevChain,
  startPipeline,
  startTestEngine,
  type TestEngine,
} from '#test/helpers/service.ts';

const seed = Number(process.env.SEED ?? 99);
const kills = Number(process.env.KILLS ?? 3);

let engine: TestEngine;
let chain: DevChain;

test.before(async (t) => {
  t.log(`seed ${seed}, ${kills} kills`);
  [engine, chain] = await Promise.all([startTestEngine(), startDevChain({ blocks: 320, seed })]);
});

test.after.always(async () => {
  await chain?.stop();
  await engine?.stop();
});

test.serial('backfill stores every row once after kills at random moments', async (t) => {
  const random = new Random(seed);
  const database = await engine.open('crash');
  const env = {
    RPC_URL: chain.rpc.url,
    CLICKHOUSE_URL: engine.url,
    CLICKHOUSE_DATABASE: 'crash',
    INSERT_TARGET_ROWS: '500',
    RPC_BATCH_BLOCKS: '5',
    TRACES: 'on',
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
  const pipeline = startPipeline({ database, urls: [chain.rpc.url], settings: { traces: 'on' } });
  t.teardown(() => pipeline.stop());
  await pipeline.caughtUp(headReader(chain), 90_000);
  await waitForTraces(pipeline);
  const report = await pipeline.verify();
  t.deepEqual(report.differences, []);
  t.is(report.blocks, 321);
  t.true(report.calls > 50);
  await pipeline.stop();
});

test.serial('pipeline exits cleanly with code 0 on SIGTERM', async (t) => {
  const database = await engine.open('sigterm');
  const child = spawnCordscan(['index'], {
    RPC_URL: chain.rpc.url,
    CLICKHOUSE_URL: engine.url,
    CLICKHOUSE_DATABASE: 'sigterm',
  });
  const exit = new Promise((resolve) => child.once('exit', resolve));
  await waitFor(async () => (await readChainState(database)) !== undefined, 30_000, 'the pipeline works');
  child.kill('SIGTERM');
  t.is(await exit, 0);
});

test.serial('the auditor finds missing and changed rows and stores them again', async (t) => {
  const database = await engine.open('audited');
  const pipeline = startPipeline({
    database,
    urls: [chain.rpc.url],
    settings: { auditEveryMs: 300, traces: 'on' },
  });
  t.teardown(() => pipeline.stop());
  await pipeline.caughtUp(headReader(chain));
  const api = await startApi(database, [chain.rpc.url]);
  t.teardown(() => api.stop());
  const block = await chain.rpc.call<{ transactions: { from: string }[] }>('eth_getBlockByNumber', ['0xc8', true]);
  const [{ from: sender } = { from: '' }] = block.transactions;
  const page = (cursor: string) => api.get(`/api/v1/accounts/${sender}/transactions?limit=1&order=asc${cursor}`);
  const { nextCursor } = (await page('')).body;
  t.is((await page(`&cursor=${nextCursor}`)).status, 200);
  const generation = (await pipeline.state())!.reorgGeneration;
  await database.command('ALTER TABLE transactions DELETE WHERE block_number = 200 SETTINGS mutations_sync = 2');
  await database.command(
    "INSERT INTO logs SELECT * REPLACE ('x' AS data, 70000 AS log_index) FROM logs WHERE block_number = 220 LIMIT 1",
  );
  await database.command(
    'INSERT INTO internal_calls SELECT * REPLACE (value + 1 AS value, call_index + 100 AS call_index) FROM internal_calls WHERE final = 1 ORDER BY block_number DESC LIMIT 1',
  );
  const isRepairing = async () => (await pipeline.state())!.reorgGeneration > generation;
  await waitFor(isRepairing, 30_000, 'the auditor repairs');
  // an audit that started while rows were damaged leaves some damage for the next audit
  const isAllRepaired = async () => {
    await pipeline.caughtUp(headReader(chain), 90_000);
    const report = await pipeline.verify({ baseOnly: true });
    return report.blocks === 321 && report.differences.length === 0;
  };
  await waitFor(isAllRepaired, 120_000, 'all of it is repaired');
  t.true((await api.get('/api/v1/status')).body.audit.differences > 0);
  const refused = await page(`&cursor=${nextCursor}`);
  t.is(refused.body.code, 'snapshot_invalidated', 'the hashes of the blocks did not change, but their rows did');
  t.true(refused.body.details.forkBlock === null || refused.body.details.forkBlock < 200);
  await api.stop();
  await pipeline.stop();
});

for (const [name, share, others] of [
  ['the node does not repeat', 0.5, 0],
  ['another node does not find', 1, 1],
] as const)
  test.serial(`a difference that ${name} repairs nothing`, async (t) => {
    const database = await engine.open(`unrepeated_${others}`);
    const random = new Random(1);
    let isWrong = false;
    // the block hash does not cover the block size
    const view = (reply: Json) => {
      const { size } = reply.result ?? {};
      if (!isWrong || size === undefined) return reply;
      return {
        ...reply,
        result: { ...reply.result, size: `0x${(Number(size) + (random.chance(share) ? 1 : 0)).toString(16)}` },
      };
    };
    const node = await startFaultyProxy({ target: chain.rpc.url, random, fault: null, share: 0, budget: 0, view });
    const settings = { auditEveryMs: 300 };
    const pipeline = startPipeline({ database, urls: [node.url, ...[chain.rpc.url].slice(1 - others)], settings });
    t.teardown(() => Promise.all([pipeline.stop(), node.stop()]));
    await pipeline.caughtUp(headReader(chain));
    const { reorgGeneration } = (await pipeline.state())!;
    isWrong = true;
    const found = async () => {
      const [row] = await database.read<{ found: string }>({
        ...resolveStatement('chain_state'),
        sql: 'SELECT countIf(differences > 0) AS found FROM audits',
        parameters: [],
      });
      return Number(row!.found);
    };
    await waitFor(async () => (await found()) > 3, 60_000, 'audits find differences');
    t.is((await pipeline.state())!.reorgGeneration, reorgGeneration);
    t.is(pipeline.failure(), undefined);
  });
