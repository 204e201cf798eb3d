import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { RpcClient } from '#chain/rpc/rpc-client.ts';
import { refreshHeads } from '#chain/rpc/watch-heads.ts';
import type { DevChain } from '#devchain/devchain.ts';
import { Random } from '#devchain/random.ts';
import { rewind } from '#pipeline/store/rewind.ts';
import { verifyChain } from '#pipeline/verify/verify-chain.ts';
import { HeadClaim } from '#pipeline/workers/head-claim.ts';
import { RangeClaims } from '#pipeline/workers/range-claims.ts';
import { Worker } from '#pipeline/workers/worker.ts';
import { silentLog } from '#runtime/log.ts';
import type { Database } from '#sql/client.ts';
import { resolveStatement } from '#sql/compile/calls.ts';
import { RowWriter } from '#sql/row-writer.ts';
import { isBackfilled, readChainState } from '#sql/snapshot.ts';
import { ClaimLostError } from '#sql/store-error.ts';
import { spawnCordscan, waitFor } from '#test/helpers/processes.ts';
import { headReader, startDevChain, startTestEngine, type TestEngine } from '#test/helpers/service.ts';

const seed = Number(process.env.SEED ?? 7);
const kills = Number(process.env.KILLS ?? 3);
/** Lease timeout, seconds; another worker takes over within twice this time. */
const leaseSeconds = 3;

let engine: TestEngine;
let chain: DevChain;

test.before(async (t) => {
  t.log(`seed ${seed}, ${kills} kills`);
  [engine, chain] = await Promise.all([startTestEngine(), startDevChain({ blocks: 160, seed })]);
});

test.after.always(async () => {
  await chain?.stop();
  await engine?.stop();
});

test.serial('two pipelines lose and duplicate nothing when either is killed at random', async (t) => {
  const random = new Random(seed);
  const database = await engine.open('workers');
  const workers = [startWorker('workers'), startWorker('workers')];
  t.teardown(() => Promise.all(workers.map(end)));
  for (let i = 0; i < kills; i++) {
    await sleep(random.between(900, 2_600));
    const victim = random.between(0, 1);
    await end(workers[victim]!);
    workers[victim] = startWorker('workers');
  }
  await caughtUp(database);
  await chain.mineLive(4);
  await caughtUp(database);
  t.deepEqual(await differences(database), []);
});

test.serial('head is taken over from a silent pipeline, which can write nothing when it resumes', async (t) => {
  const database = await engine.open('silent');
  const [first, second] = [startWorker('silent'), startWorker('silent')];
  t.teardown(() => Promise.all([first, second].map(end)));
  await caughtUp(database);
  const holder = await readHolder(database);
  const silent = [first, second].find((child) => child.pid === holder.pid)!;
  silent.kill('SIGSTOP');
  const claimed = async () => (await readHolder(database)).worker !== holder.worker;
  await waitFor(claimed, 10 * leaseSeconds * 1000, 'the other one takes the head');
  silent.kill('SIGCONT');
  await chain.mineLive(4);
  await caughtUp(database);
  t.not((await readHolder(database)).worker, holder.worker);
  t.is(silent.exitCode, null);
  t.deepEqual(await differences(database), []);
});

test.serial('worker with an outranked claim writes nothing: rows, selected rows, deletions, partitions', async (t) => {
  const database = await engine.open('fenced');
  const deps = { database, log: silentLog };
  const [old, late] = [new Worker(deps, 1), new Worker(deps)];
  const head = (await HeadClaim.take(deps, old))!;
  const held = database.fencedBy(head.fence, new AbortController().signal);
  const row = new RowWriter();
  row.text('rows');
  for (let i = 0; i < 3; i++) row.uint64(1);
  await held.insertRowBinary('job_marks', row.view());
  await held.execute(marked, { through: 5 });
  await database.command("INSERT INTO block_hashes SELECT 0, toFixedString('', 8), 77");
  const next = (await HeadClaim.take(deps, late))!;
  t.true(next.claim.number > head.claim.number);
  for (const write of [
    () => held.insertRowBinary('job_marks', row.view()),
    () => held.execute(marked, { through: 6 }),
    () => held.execute(resolveStatement('drop_partition'), { table: 'block_hashes', block_number: 77 }),
  ])
    await t.throwsAsync(write, { instanceOf: ClaimLostError });
  await held.execute('empty_table', { table: 'job_marks' });
  t.true(head.lost.aborted);
  t.deepEqual(await column(database, 'SELECT toString(through) AS v FROM job_marks ORDER BY v'), ['1', '5']);
  t.deepEqual(await column(database, 'SELECT toString(block_number) AS v FROM block_hashes'), ['77']);
  const now = database.fencedBy(next.fence, new AbortController().signal);
  await now.execute(resolveStatement('drop_partition'), { table: 'block_hashes', block_number: 77 });
  await now.execute('empty_table', { table: 'job_marks' });
  t.deepEqual(await column(database, 'SELECT 1 AS v FROM block_hashes UNION ALL SELECT 2 FROM job_marks'), []);
});

test.serial('later of two claims to the same blocks wins, and seizing ends both', async (t) => {
  const database = await engine.open('ranges');
  const deps = { database, log: silentLog };
  const [a, b] = [new Worker(deps), new Worker(deps)];
  await Promise.all([a.join(), b.join()]);
  t.teardown(() => Promise.all([a.leave(), b.leave()]));
  const plan = [{ fromBlock: 0, toBlock: 99, interrupted: false }];
  const [first, second] = [new RangeClaims(deps, a, 10), new RangeClaims(deps, b, 10)];
  t.deepEqual(await first.claim(plan), { fromBlock: 0, toBlock: 9, interrupted: false });
  t.deepEqual(await second.claim(plan), { fromBlock: 50, toBlock: 59, interrupted: false });
  t.is(await first.extend(plan), 19);
  const signal = new AbortController().signal;
  const [heldA, heldB] = [database.fencedBy(first.fence, signal), database.fencedBy(second.fence, signal)];
  await heldA.execute(marked, { through: 1 });
  await heldB.execute(marked, { through: 2 });
  const leader = new RangeClaims(deps, new Worker(deps), 10);
  await leader.seize({ fromBlock: 15, toBlock: 16 });
  await t.throwsAsync(heldA.execute(marked, { through: 3 }), { instanceOf: ClaimLostError });
  await heldB.execute(marked, { through: 4 });
  t.is(await first.extend(plan), undefined);
  t.truthy(await HeadClaim.take(deps, a));
  await t.throwsAsync(rewind(deps, 1), { instanceOf: RangeError, message: /a pipeline runs/ });
});

const marked = {
  name: 'mark',
  sql: "INSERT INTO job_marks (job, through, version, written_at) SELECT 'test', {through:UInt64}, {through:UInt64}, now64(3)",
  parameters: ['through'],
};

function startWorker(database: string): ChildProcess {
  return spawnCordscan(['index'], {
    RPC_URL: chain.rpc.url,
    CLICKHOUSE_URL: engine.url,
    CLICKHOUSE_DATABASE: database,
    INSERT_TARGET_ROWS: '1000',
    RPC_BATCH_BLOCKS: '5',
    CLAIM_BLOCKS: '20',
    LEASE_SECONDS: String(leaseSeconds),
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await exited;
}

async function caughtUp(database: Database): Promise<void> {
  const isThere = async () => {
    const state = await readChainState(database).catch(() => undefined);
    return state !== undefined && isBackfilled(state) && state.head === (await headReader(chain)());
  };
  await waitFor(isThere, 240_000, 'the pipelines catch up');
}

async function differences(database: Database): Promise<unknown> {
  const client = new RpcClient({ urls: [chain.rpc.url], timeoutMs: 20_000, maxInFlight: 8 });
  await refreshHeads(client);
  const report = await verifyChain({ client, database, signal: new AbortController().signal }, {});
  await client.close();
  return report.differences;
}

async function readHolder(database: Database): Promise<{ worker: string; pid: number }> {
  const [claim] = await database.read('head_claims');
  const workers = await database.read('workers');
  return workers.find(({ worker }) => worker === claim?.worker)!;
}

async function column(database: Database, sql: string): Promise<string[]> {
  const rows = await database.read<{ v: string }>({ ...resolveStatement('chain_state'), sql });
  return rows.map(({ v }) => v);
}
