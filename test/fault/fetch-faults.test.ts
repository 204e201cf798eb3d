import test from 'ava';
import { hexDigits, toQuantity } from '#chain/codec/hex.ts';
import { startAnvil } from '#devchain/anvil.ts';
import type { DevChain } from '#devchain/devchain.ts';
import { Random } from '#devchain/random.ts';
import { createEncoder } from '#pipeline/encode/encoder-threads.ts';
import { silentLog } from '#runtime/log.ts';
import { pause } from '#runtime/shutdown.ts';
import { resolveStatement } from '#sql/compile/calls.ts';
import { balancesJob, readMark } from '#sql/job-marks.ts';
import { type ModelBlock, readChainModel } from '#test/helpers/chain-model.ts';
import { fetchFaults } from '#test/helpers/faults.ts';
import { type Fault, startFaultyProxy } from '#test/helpers/faulty-proxy.ts';
import { buildModelCalls, mineInternalCalls, waitForTraces } from '#test/helpers/internal-traffic.ts';
import { freePort, waitFor } from '#test/helpers/processes.ts';
import { chainId, startDevChain, startPipeline, startTestEngine, type TestEngine } from '#test/helpers/service.ts';
import { callTracerFaults, flatTraceFaults, withoutTraceBlock } from '#test/helpers/trace-faults.ts';

const seed = Number(process.env.SEED ?? 20261121);
const blocks = 36;
/** Genesis time, Unix seconds. */
const hourStart = 1_600_000_000 - (1_600_000_000 % 3_600);

let engine: TestEngine;
let chain: DevChain;
/** Encoder thread for one of the concurrent pipelines. */
const threads = createEncoder(1, { log: silentLog, batchesBefore: 0 });

test.before(async (t) => {
  t.log(`seed ${seed}`);
  [engine, chain] = await Promise.all([
    startTestEngine(),
    startDevChain({ blocks, seed, blockSeconds: 300, genesisTime: hourStart }),
  ]);
});

test.after.always(async () => {
  await threads.close();
  await chain?.stop();
  await engine?.stop();
});

const names = Object.keys(fetchFaults);
const groupSize = 10;
const runsAtOnce = 3;

test.serial('fault injection has at least 60 kinds', (t) => {
  t.true(names.length >= 60);
});

/** Applies unused faults first, and of these the faults that need a batch. */
function inTurn(
  group: readonly string[],
  timesEach: number,
  faults: Record<string, Fault> = fetchFaults,
): { fault: Fault; unseen: () => string[] } {
  const needsSeveral = (name: string) => Number(name.startsWith('batch_'));
  const inOrder = [...group].sort((a, b) => needsSeveral(b) - needsSeveral(a));
  const left = new Map(inOrder.map((name) => [name, timesEach]));
  const fault: Fault = async (exchange) => {
    const byNeed = [...left].filter(([, times]) => times > 0).sort((a, b) => b[1] - a[1]);
    for (const [name, times] of byNeed) {
      const outcome = await faults[name]!(exchange);
      if (outcome === 'untouched') continue;
      left.set(name, times - 1);
      return outcome;
    }
    return 'untouched';
  };
  return { fault, unseen: () => group.filter((name) => left.get(name) === timesEach) };
}

async function indexThrough(group: readonly string[], run: number): Promise<string[]> {
  const { fault, unseen } = inTurn(group, 2);
  const proxy = await startFaultyProxy({
    target: chain.rpc.url,
    random: new Random(seed),
    fault,
    budget: 2 * group.length,
    // batch faults come first, because after a failure batches shrink to one block
    share: group.some((name) => name.startsWith('batch_')) ? 1 : 0.5,
  });
  const database = await engine.open(`fault_${group[0]}`);
  const pipeline = startPipeline({
    database,
    urls: [proxy.url],
    timeoutMs: 1_000,
    verifyUrls: [chain.rpc.url],
    encoder: run === 0 ? threads : undefined,
    settings: { batchBlocks: 5, insertTargetRows: 200, finalityDepth: 20, jobsEveryMs: 60_000 },
  });
  try {
    await pipeline.caughtUp(async () => blocks, 90_000);
    const report = await pipeline.verify({ baseOnly: true });
    return [
      ...unseen().map((name) => `${name}: was never injected`),
      ...report.differences.slice(0, 2).map((difference) => `${group}: ${JSON.stringify(difference)}`),
      ...(report.blocks === blocks + 1 ? [] : [`${group}: ${report.blocks} blocks`]),
    ];
  } catch (error) {
    return [`${group}: ${error}`];
  } finally {
    await pipeline.stop();
    await proxy.stop();
  }
}

for (let at = 0; at < names.length; at += groupSize * runsAtOnce) {
  const kinds = names.slice(at, at + groupSize * runsAtOnce);
  test.serial(`pipeline stores the node’s data despite ${kinds.join(', ')}`, async (t) => {
    const groups = Array.from({ length: runsAtOnce }, (_, i) => kinds.slice(i * groupSize, (i + 1) * groupSize));
    const failures = await Promise.all(groups.filter((group) => group.length > 0).map(indexThrough));
    t.deepEqual(failures.flat(), []);
  });
}

test.serial(
  'a block that no endpoint can serve is quarantined with its reason, the rest continues, and it is stored later',
  async (t) => {
    const bad = 9;
    const proxy = await startFaultyProxy({
      target: chain.rpc.url,
      random: new Random(seed),
      share: 1,
      budget: Number.POSITIVE_INFINITY,
      fault: (exchange) => {
        const reply = exchange.replies.find((each) => Number(each.result?.number) === bad && each.result.transactions);
        t.teardown(() => proxy.stop());
        if (!reply) return 'untouched';
        reply.result = null;
        return 'changed';
      },
    });
    const database = await engine.open('parked');
    const pipeline = startPipeline({
      database,
      urls: [proxy.url],
      verifyUrls: [chain.rpc.url],
      settings: { quarantinedRetryMs: 300, finalityDepth: 20, jobsEveryMs: 100 },
    });
    t.teardown(() => pipeline.stop());
    const state = await pipeline.caughtUp(async () => blocks, 90_000);
    t.true(state.backfilledBefore > bad);
    const quarantined = await database.read('parked_blocks');
    t.deepEqual(
      quarantined.map((row) => Number(row.block_number)),
      [bad],
    );
    t.regex(quarantined[0]!.reason, /null_block/);
    const areRead = async () => (await readMark({ database }, balancesJob)) >= state.finalized;
    await waitFor(areRead, 30_000, 'balances of the other blocks are read');
    const model = await readChainModel(chain.rpc, state.finalized);
    const getParties = ({ txs }: ModelBlock) => txs.flatMap(({ from, to, created }) => [from, to, created]);
    const others = new Set(model.filter(({ number }) => number !== bad).flatMap(getParties));
    const [own] = getParties(model[bad]!).filter((party) => !others.has(party));
    t.truthy(own, 'an account that only this block touches');
    const readOwn = () => database.read('stored_balance', { address: hexDigits(own!) });
    t.deepEqual(await readOwn(), []);
    const isHourSummed = async () => (await pipeline.state())!.hourThrough > 0;
    await waitFor(isHourSummed, 30_000, 'the first hour is summed without the block');
    const sql = "SELECT groupArray(block_count) AS blocks FROM chart_buckets WHERE resolution = 'hour'";
    const readSums = () => database.readOne({ ...resolveStatement('chain_state'), sql });
    t.deepEqual(await readSums(), { blocks: ['11'] });
    proxy.setFault(null);
    for (;;) {
      const left = await database.read('parked_blocks');
      if (left.length === 0) break;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await pipeline.caughtUp(async () => blocks);
    t.deepEqual((await pipeline.verify({ baseOnly: true })).differences, []);
    await waitFor(isHourSummed, 30_000, 'the hour is summed again');
    t.deepEqual(await readSums(), { blocks: ['12'] }, 'no row of the old sum is left');
    await waitFor(async () => (await readOwn()).length > 0, 30_000, 'the balances of its accounts are read too');
    await pipeline.stop();
    await proxy.stop();
  },
);

test.serial('a block that no endpoint returns in time is quarantined, and does not stop later ones', async (t) => {
  const slow = toQuantity(7);
  const proxy = await startFaultyProxy({
    ...{ target: chain.rpc.url, random: new Random(seed), share: 1, budget: Number.POSITIVE_INFINITY },
    fault: async ({ calls }): Promise<'untouched'> => {
      if (calls.some(({ params }) => params[0] === slow)) await pause(5_000);
      return 'untouched';
    },
  });
  const database = await engine.open('slow_block');
  const pipeline = startPipeline({
    ...{ database, urls: [proxy.url], verifyUrls: [chain.rpc.url], timeoutMs: 500 },
    settings: { quarantinedRetryMs: 300, finalityDepth: 20, batchBlocks: 2 },
  });
  t.teardown(async () => {
    await pipeline.stop();
    await proxy.stop();
  });
  const state = await pipeline.caughtUp(async () => blocks, 90_000);
  t.true(state.backfilledBefore > 7);
  const [quarantined] = await database.read('parked_blocks');
  t.like(quarantined, { block_number: '7' });
  t.regex(quarantined!.reason, /imeout/);
  proxy.setFault(null);
  await waitFor(async () => (await database.read('parked_blocks')).length === 0, 60_000, 'the block is stored');
  await pipeline.caughtUp(async () => blocks);
  t.deepEqual((await pipeline.verify({ baseOnly: true })).differences, []);
});

test.serial('traces with wrong calls are requested again, never stored', async (t) => {
  const node = await startAnvil({ port: await freePort(), chainId, genesisTime: 1_700_000_000 });
  t.teardown(() => node.stop());
  await mineInternalCalls(node, 12);
  await node.rpc.call('anvil_mine', [25]);
  const head = Number(await node.rpc.call('eth_blockNumber', []));
  const model = await buildModelCalls(node, head);
  const traceThrough = async (
    faults: Record<string, Fault>,
    group: readonly string[],
    wrap = (fault: Fault) => fault,
  ) => {
    const { fault, unseen } = inTurn(group, 2, faults);
    const proxy = await startFaultyProxy({
      target: node.rpc.url,
      random: new Random(seed),
      fault: wrap(fault),
      share: 1,
      budget: Number.POSITIVE_INFINITY,
    });
    const database = await engine.open(`traces_${group[0]}`);
    const pipeline = startPipeline({
      database,
      urls: [proxy.url],
      verifyUrls: [node.rpc.url],
      settings: { batchBlocks: 2, insertTargetRows: 200, finalityDepth: 20, traces: 'on', quarantinedRetryMs: 300 },
    });
    try {
      await pipeline.caughtUp(async () => head, 90_000);
      await waitForTraces(pipeline);
      const { differences, calls } = await pipeline.verify();
      return [
        ...(calls === model.length ? [] : [`${calls} of ${model.length} calls`]),
        ...unseen().map((name) => `${name}: was never injected`),
        ...differences.map((one) => JSON.stringify(one)),
      ];
    } catch (error) {
      return [`${group}: ${error}`];
    } finally {
      await pipeline.stop();
      await proxy.stop();
    }
  };
  const thirds = (faults: Record<string, Fault>) =>
    [0, 1, 2].map((part) => Object.keys(faults).filter((_, at) => at % 3 === part));
  const failures = await Promise.all([
    ...thirds(callTracerFaults).map((group) => traceThrough(callTracerFaults, group, withoutTraceBlock)),
    ...thirds(flatTraceFaults).map((group) => traceThrough(flatTraceFaults, group)),
  ]);
  t.deepEqual(failures.flat(), []);
});
