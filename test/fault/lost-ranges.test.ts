/** Ranges, marks and claims that a killed or failing pipeline has left behind. */
import test from 'ava';
import { RpcClient } from '#chain/rpc/rpc-client.ts';
import type { DevChain } from '#devchain/devchain.ts';
import { Random } from '#devchain/random.ts';
import { findFinalizedFork } from '#pipeline/follow/finalized-comparison.ts';
import { writeMark } from '#pipeline/jobs/job-marks.ts';
import { ChainStateStore } from '#pipeline/store/chain-state-store.ts';
import { Journal } from '#pipeline/store/journal.ts';
import { QuarantinedBlocks } from '#pipeline/store/quarantined-blocks.ts';
import { rewind } from '#pipeline/store/rewind.ts';
import { forgetTraced, readTraced, recordTraced } from '#pipeline/traces/traced-ranges.ts';
import { HeadClaim } from '#pipeline/workers/head-claim.ts';
import { Worker } from '#pipeline/workers/worker.ts';
import { pause } from '#runtime/shutdown.ts';
import { resolveStatement } from '#sql/compile/calls.ts';
import { readMark } from '#sql/job-marks.ts';
import { startFaultyProxy } from '#test/helpers/faulty-proxy.ts';
import { waitFor } from '#test/helpers/processes.ts';
import { headReader, startDevChain, startPipeline, startTestEngine, type TestEngine } from '#test/helpers/service.ts';

let engine: TestEngine;
let chain: DevChain;

test.before(async () => {
  [engine, chain] = await Promise.all([startTestEngine(), startDevChain({ blocks: 100, seed: 72 })]);
});

test.after.always(async () => {
  await chain?.stop();
  await engine?.stop();
});

const startProxy = () =>
  startFaultyProxy({
    ...{ target: chain.rpc.url, random: new Random(1), fault: null, share: 1 },
    budget: Number.POSITIVE_INFINITY,
  });

async function indexed(name: string) {
  const database = await engine.open(name);
  const pipeline = startPipeline({ database, urls: [chain.rpc.url] });
  await pipeline.caughtUp(headReader(chain));
  await pipeline.stop();
  return { database, deps: pipeline.deps };
}

test.serial(
  'an interrupted range with a block that turned bad is cleared, and the other blocks are stored',
  async (t) => {
    const { database, deps } = await indexed('turned_bad');
    const journal = new Journal(deps);
    await journal.load();
    const range = journal.rangeWith(30)!;
    t.true(range.fromBlock < 30 && range.toBlock > 30);
    const hash = `0x${'0'.repeat(64)}`;
    const summary = { ...range, transactionCount: 0, logCount: 0, parentHash: hash, lastHash: hash };
    await journal.started(summary as never); // like a kill in the middle of the insert
    const store = new ChainStateStore(deps);
    await store.load();
    await store.retract((state) => ({ backfilledBefore: range.fromBlock, reorgGeneration: state.reorgGeneration + 1 }));

    const proxy = await startProxy();
    t.teardown(() => proxy.stop());
    let tries = 0;
    proxy.setFault(({ calls, replies }) => {
      let outcome: 'untouched' | 'changed' = 'untouched';
      for (const [i, { method, params }] of calls.entries()) {
        if (method !== 'eth_getBlockReceipts' || Number(params[0]) !== 30) continue;
        tries++;
        replies[i].result[0].gasUsed = '0x1';
        outcome = 'changed';
      }
      return outcome;
    });
    const settings = { quarantinedRetryMs: 60_000, pollIntervalMs: 50 };
    const pipeline = startPipeline({ database, urls: [proxy.url], verifyUrls: [chain.rpc.url], settings });
    t.teardown(() => pipeline.stop());
    const isStored = async () => {
      const state = (await pipeline.state())!;
      return state.quarantined.includes(30) && state.backfilledBefore >= state.followFrom;
    };
    await waitFor(isStored, 60_000, 'all blocks but one are stored');
    const count = async (table: string) => {
      const sql = `SELECT count() AS n FROM ${table} WHERE block_number = 30`;
      return Number((await database.read<{ n: string }>({ ...resolveStatement('chain_state'), sql }))[0]!.n);
    };
    for (const table of ['blocks', 'transactions', 'logs', 'address_roles']) t.is(await count(table), 0, table);
    const seen = tries;
    await pause(1_500);
    t.is(tries, seen, 'the block is not asked for again and again');
    await pipeline.stop();
    proxy.setFault(null);
    const second = startPipeline({ database, urls: [proxy.url], settings: { quarantinedRetryMs: 100 } });
    t.teardown(() => second.stop());
    await waitFor(async () => (await second.state())!.quarantined.length === 0, 60_000, 'the block is stored');
    await second.caughtUp(headReader(chain));
    t.deepEqual((await second.verify()).differences, []);
  },
);

test.serial(
  'the fork is the last stored block that the node has, also beside blocks that are not stored',
  async (t) => {
    const { database, deps } = await indexed('gaps_at_fork');
    const { signal } = new AbortController();
    const proxy = await startProxy();
    t.teardown(() => proxy.stop());
    let differsFrom = 0;
    proxy.setFault(({ calls, replies }) => {
      for (const [i, { method, params }] of calls.entries())
        if (method === 'eth_getBlockByNumber' && Number(params[0]) >= differsFrom && replies[i].result)
          replies[i].result.hash = `0x${'ee'.repeat(32)}`;
      return 'changed';
    });
    const client = new RpcClient({ urls: [proxy.url], timeoutMs: 5_000, maxInFlight: 1 });
    t.teardown(() => client.close());
    const endpoint = client.endpoints[0]!;
    const find = () => findFinalizedFork({ ...deps, client, signal }, endpoint, -1, 40);
    for (const fork of [1, 12, 13, 39]) {
      differsFrom = fork + 1;
      t.is(await find(), fork);
    }
    await database.command(
      'ALTER TABLE blocks DELETE IN PARTITION (1, 0) WHERE block_number BETWEEN 10 AND 25 SETTINGS mutations_sync = 2',
    );
    for (const [fork, found] of [
      [8, 8],
      [12, 9],
      [24, 9],
      [26, 26],
      [-1, undefined],
    ] as const) {
      differsFrom = fork + 1;
      t.is(await find(), found, String(fork));
    }
  },
);

test.serial('marks and traced ranges of a process whose clock was ahead can be withdrawn', async (t) => {
  const { deps, database } = await indexed('clocks');
  const ahead = Date.now() + 3_600_000;
  await database.command(`INSERT INTO job_marks SELECT 'a job', 50, ${ahead}, now64()`);
  t.is(await readMark(deps, 'a job'), 50);
  await writeMark(deps, 'a job', 20);
  t.is(await readMark(deps, 'a job'), 20);
  await recordTraced(deps, [{ fromBlock: 1, toBlock: 9 }]);
  await database.command(
    `INSERT INTO traced_ranges (from_block, to_block, state, version) SELECT 1, 9, 'done', ${ahead * 1_000}`,
  );
  await forgetTraced(deps, { fromBlock: 4, toBlock: 5 });
  t.deepEqual(await readTraced(deps), [
    { fromBlock: 1, toBlock: 3 },
    { fromBlock: 6, toBlock: 9 },
  ]);
});

test.serial('a rewind ends the quarantine of the blocks that it removes', async (t) => {
  const { deps } = await indexed('rewound_quarantine');
  const quarantined = new QuarantinedBlocks(deps);
  for (const block of [20, 50]) await quarantined.park(block, 'test', 1);
  const store = new ChainStateStore(deps);
  await store.load();
  await store.publish({ quarantined: [20, 50] });
  await rewind(deps, 40);
  await store.load();
  t.deepEqual(store.state.quarantined, [20]);
  await quarantined.load();
  t.deepEqual(quarantined.numbers, [20]);
});

test.serial('a worker that failed in the middle of a claim can claim the head again', async (t) => {
  const { deps } = await indexed('half_claimed');
  const worker = new Worker(deps);
  await worker.join();
  t.teardown(() => worker.leave());
  const { database } = deps;
  const execute = database.execute.bind(database) as (...given: unknown[]) => Promise<void>;
  let failures = 1;
  database.execute = async (...given: unknown[]) => {
    if (given[0] === 'create_marker' && failures-- > 0) throw new Error('no space is left');
    return execute(...given);
  };
  await t.throwsAsync(HeadClaim.take(deps, worker), { message: 'no space is left' });
  t.truthy(await HeadClaim.take(deps, worker));
});

test.serial('a pipeline does not take the head from a command that claimed it at the same time', async (t) => {
  const { deps } = await indexed('claimed_at_once');
  const [command, pipeline] = [new Worker(deps), new Worker(deps)];
  for (const worker of [command, pipeline]) await worker.join();
  t.teardown(() => Promise.all([command.leave(), pipeline.leave()]));
  const { database } = deps;
  const read = database.read.bind(database) as (...given: unknown[]) => Promise<never[]>;
  let claimed: HeadClaim | undefined;
  database.read = async (...given: unknown[]) => {
    const rows = await read(...given);
    if (given[0] !== 'workers' || claimed) return rows;
    database.read = read as never; // the pipeline has read which worker holds the head, and claims it next
    claimed = await HeadClaim.seize(deps, command);
    return rows;
  };
  t.is(await HeadClaim.take(deps, pipeline), undefined);
  t.true(await claimed!.isHighest());
});
