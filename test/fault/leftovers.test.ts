import test, { type ExecutionContext } from 'ava';
import { toQuantity } from '#chain/codec/hex.ts';
import { TransportError } from '#chain/errors.ts';
import { RpcClient } from '#chain/rpc/rpc-client.ts';
import type { DevChain } from '#devchain/devchain.ts';
import { FetchAhead } from '#pipeline/backfill/fetch-ahead.ts';
import { Finalizer } from '#pipeline/follow/finalize-blocks.ts';
import { ChainStateStore } from '#pipeline/store/chain-state-store.ts';
import { Journal } from '#pipeline/store/journal.ts';
import { rewind, rewindHeld } from '#pipeline/store/rewind.ts';
import { Rollups } from '#pipeline/store/rollups.ts';
import { type Log, silentLog } from '#runtime/log.ts';
import { Database } from '#sql/client.ts';
import { resolveStatement } from '#sql/compile/calls.ts';
import { StoreError } from '#sql/store-error.ts';
import { startFailingEngine } from '#test/helpers/mortal-engine.ts';
import { freePort, waitFor } from '#test/helpers/processes.ts';
import {
  headReader,
  type PipelineOptions,
  startApi,
  startDevChain,
  startPipeline,
  startTestEngine,
  type TestEngine,
} from '#test/helpers/service.ts';

let engine: TestEngine;
let chain: DevChain;

test.before(async () => {
  [engine, chain] = await Promise.all([startTestEngine(), startDevChain({ blocks: 90 })]);
});

test.after.always(async () => {
  await chain?.stop();
  await engine?.stop();
});

async function storeChain(t: ExecutionContext, database: Database, settings: PipelineOptions['settings'] = {}) {
  const pipeline = startPipeline({ database, urls: [chain.rpc.url], settings });
  t.teardown(() => pipeline.stop());
  const { head } = await pipeline.caughtUp(headReader(chain));
  await pipeline.stop();
  return { ...pipeline, head };
}

test.serial(
  'rule 5: rows of a block that a killed follower never published are removed before it continues',
  async (t) => {
    const database = await engine.open('killed_follower');
    const { head } = await storeChain(t, database);
    for (const table of ['transactions', 'logs', 'address_roles'])
      await database.command(
        `INSERT INTO ${table} SELECT * REPLACE (${head + 1} AS block_number, tx_index + 5000 AS tx_index) FROM ${table} WHERE final = 0`,
      );
    await chain.mineLive(2);
    const second = startPipeline({ database, urls: [chain.rpc.url] });
    t.teardown(() => second.stop());
    await second.caughtUp(headReader(chain));
    t.deepEqual((await second.verify({ baseOnly: true })).differences, []);
  },
);

test.serial('rule 2: a range that was started but not completed is stored again completely', async (t) => {
  const database = await engine.open('begun_range');
  const settings = { insertTargetRows: 300 };
  await storeChain(t, database, settings);
  await database.command(
    "INSERT INTO range_journal SELECT * REPLACE ('started' AS state, version + 1000 AS version) FROM range_journal FINAL WHERE from_block = 0",
  );
  await database.command(
    'INSERT INTO chain_state SELECT * REPLACE (0 AS backfilled_before, version + 1 AS version) FROM chain_state ORDER BY version DESC LIMIT 1',
  );
  for (const table of ['transactions', 'logs'])
    await database.command(`ALTER TABLE ${table} DELETE WHERE block_number < 5 SETTINGS mutations_sync = 2`);
  const second = startPipeline({ database, urls: [chain.rpc.url], settings });
  t.teardown(() => second.stop());
  await second.caughtUp(headReader(chain));
  t.deepEqual((await second.verify({ baseOnly: true })).differences, []);
});

test.serial('range that no longer links to its neighbour is rejected, and the neighbour is stored again', async (t) => {
  const database = await engine.open('broken_links');
  const settings = { insertTargetRows: 300 };
  await storeChain(t, database, settings);
  const journal = () => database.read('journal_ranges', { voided_since: Number.MAX_SAFE_INTEGER });
  const ranges = (await journal()).filter((range) => range.state === 'done');
  const [low, high] = ranges;
  t.truthy(high, 'the chain is stored in several ranges');
  const change = (range: { to_block: string }, what: string) =>
    database.command(
      `INSERT INTO range_journal SELECT * REPLACE (${what}, version + 1000 AS version) FROM range_journal FINAL WHERE to_block = ${range.to_block}`,
    );
  await change(low!, "toFixedString('another branch', 32) AS last_hash");
  await change(high!, "'void' AS state");
  const refusals: string[] = [];
  const warn = ({ error }: { error?: string }) => void (error?.includes('parent_link') && refusals.push(error));
  const log = Object.assign(Object.create(silentLog), { warn }) as Log;
  const second = startPipeline({ database, urls: [chain.rpc.url], settings, log });
  t.teardown(() => second.stop());
  const isMended = async () => {
    const mended = (await journal()).filter((range) => range.state === 'done');
    return mended.every((range) => !range.last_hash.startsWith('0x616e6f74686572')); // "another"
  };
  for (let i = 0; i < 150 && !((await isMended()) && (await second.state())?.backfilledBefore); i++)
    await new Promise((resolve) => setTimeout(resolve, 100));
  t.true(await isMended());
  t.true(refusals.length > 0, 'nothing was stored before it was found out');
  await second.caughtUp(headReader(chain));
  t.deepEqual((await second.verify({ baseOnly: true })).differences, []);
});

test.serial('a write that exceeds its memory budget fails after the time for retries', async (t) => {
  const database = (await engine.open('greedy')).retryingFor(300);
  const greedy = {
    name: 'greedy',
    sql: "INSERT INTO job_marks (job) SELECT arrayStringConcat(groupArray(toString(number)), ' ') FROM numbers(3000000)",
    parameters: [],
    budget: { maxSeconds: 60, maxMemoryBytes: 1 << 20, maxResultRows: 1 },
  };
  const fault = await t.throwsAsync(() => database.execute(greedy), { instanceOf: StoreError });
  t.regex(fault!.message, /^greedy: .*memory limit exceeded/i);
  await database.execute({ ...greedy, budget: { ...greedy.budget, maxMemoryBytes: 1 << 30 } });
});

test.serial('frozen database is reported as unavailable and retried', async (t) => {
  const database = await engine.open('frozen');
  const pipeline = startPipeline({ database, urls: [chain.rpc.url] });
  t.teardown(() => pipeline.stop());
  await pipeline.caughtUp(headReader(chain));
  const api = await startApi(database, [chain.rpc.url]);
  t.teardown(() => api.stop());
  const impatient = new Database({ ...database.options, waitMs: 0 });
  t.teardown(() => impatient.close());
  const statement = resolveStatement('chain_state');
  const brief = { ...statement, budget: { ...statement.budget, maxSeconds: 0.2 } };
  process.kill(engine.pid(), 'SIGSTOP');
  t.teardown(() => process.kill(engine.pid(), 'SIGCONT'));
  const [fault, ready] = await Promise.all([
    t.throwsAsync(() => impatient.read(brief), { instanceOf: StoreError, message: /no answer within 5\.2 s/ }),
    api.get('/readyz'),
  ]);
  t.true(fault?.retryable);
  t.is(ready.status, 503);
  t.regex(ready.body.checks.database, /no answer|does not answer/);
  process.kill(engine.pid(), 'SIGCONT');
  t.true((await impatient.read(statement)).length > 0);
  await chain.mineLive(2);
  await pipeline.caughtUp(headReader(chain));
  t.deepEqual((await pipeline.verify({ baseOnly: true })).differences, []);
});

test.serial('blocks that a node returns in place of followed ones are not finalized', async (t) => {
  const database = await engine.open('replaced');
  const { deps: ended } = await storeChain(t, database);
  const client = new RpcClient({ urls: [chain.rpc.url], timeoutMs: 5_000, maxInFlight: 1 });
  t.teardown(() => client.close());
  const deps = { ...ended, client, signal: new AbortController().signal };
  const [store, journal] = [new ChainStateStore(deps), new Journal(deps)];
  await Promise.all([store.load(), journal.load()]);
  const parts = { deps, store, journal, source: new FetchAhead(deps), rollups: new Rollups(deps, store) };
  const { finalized } = store.state;
  const range = { fromBlock: finalized + 1, toBlock: finalized + 5 };
  const finalRows = async () =>
    (
      await database.read<{ rows: string }>({
        ...resolveStatement('chain_state'),
        sql: `SELECT count() AS rows FROM blocks WHERE final = 1 AND block_number > ${finalized}`,
      })
    )[0]!.rows;
  const { message } = await t.throwsAsync(new Finalizer(parts).finalizeFromNode(range, () => `0x${'1'.repeat(64)}`));
  t.regex(message, /was followed$/);
  t.deepEqual([store.state.finalized, await finalRows()], [finalized, '0']);
  const last = await chain.rpc.call<{ hash: string }>('eth_getBlockByNumber', [toQuantity(range.toBlock), false]);
  await new Finalizer(parts).finalizeFromNode(range, (block) => (block === range.toBlock ? last.hash : undefined));
  t.deepEqual([store.state.finalized, await finalRows()], [range.toBlock, '5']);
  await parts.rollups.close();
});

test.serial('reading of blocks that gives up fails with the last error of a dead node', async (t) => {
  const database = await engine.open('dead_node');
  const { deps: ended } = await storeChain(t, database);
  const client = new RpcClient({ urls: [`http://127.0.0.1:${await freePort()}`], timeoutMs: 1_000, maxInFlight: 4 });
  t.teardown(() => client.close());
  const source = new FetchAhead({ ...ended, client, signal: new AbortController().signal }, 200);
  await t.throwsAsync(() => source.blocks({ fromBlock: 1, toBlock: 40 }).next(), { instanceOf: TransportError });
});

test.serial('repair that was killed between any two of its writes is completed', async (t) => {
  const database = await engine.open('killed_repair');
  await storeChain(t, database);
  const settings = { leaseMs: 400, pollIntervalMs: 50 };
  for (const [writes, rewindTo] of [[1], [6], [1, 20]] as const) {
    await database.command(
      'INSERT INTO logs SELECT * REPLACE (log_index + 7000 AS log_index) FROM logs WHERE final = 1 AND block_number < 30',
    );
    const mortal = await startFailingEngine(engine.url, 'killed_repair');
    const doomed = startPipeline({
      ...{ database: mortal.database, urls: [chain.rpc.url] },
      settings: { ...settings, auditEveryMs: 100 },
    });
    t.teardown(() => doomed.stop());
    t.teardown(() => mortal.stop());
    let isRepairing = false;
    mortal.dieAfter(writes, (sql) => {
      isRepairing ||= /range_journal/.test(sql); // the first write of the repair that can't be undone
      return isRepairing && /job_marks|range_journal|traced|Identifier|INTO (blocks|transactions|logs)/.test(sql);
    });
    await waitFor(async () => mortal.isDead(), 30_000, 'it is killed');
    await doomed.stop();
    await mortal.stop();
    if (rewindTo !== undefined) await rewind({ database, log: silentLog }, rewindTo);
    const next = startPipeline({ database, urls: [chain.rpc.url], settings });
    await next.caughtUp(headReader(chain));
    const { differences } = await next.verify({ baseOnly: true });
    await next.stop();
    t.deepEqual(differences, [], `${writes} writes, rewind to ${rewindTo}`);
  }
});

test.serial('rewind of an operator that was killed is completed by the next start', async (t) => {
  const database = await engine.open('killed_rewind');
  await storeChain(t, database);
  for (const writes of [1, 8]) {
    await database.command(
      'INSERT INTO logs SELECT * REPLACE (log_index + 7000 AS log_index) FROM logs WHERE final = 1 AND block_number > 30',
    );
    const mortal = await startFailingEngine(engine.url, 'killed_rewind');
    let isRewinding = false;
    mortal.dieAfter(writes, (sql) => {
      isRewinding ||= /range_journal/.test(sql);
      return isRewinding && /INSERT|DELETE|TRUNCATE|ALTER/.test(sql);
    });
    await t.throwsAsync(rewindHeld({ database: mortal.database, log: silentLog }, 30));
    await mortal.stop();
    const next = startPipeline({ database, urls: [chain.rpc.url], settings: { leaseMs: 400 } });
    t.teardown(() => next.stop());
    await next.caughtUp(headReader(chain));
    const { differences } = await next.verify({ baseOnly: true });
    const { reorgIntent } = (await next.state())!;
    await next.stop();
    t.deepEqual([differences, reorgIntent], [[], ''], `killed after ${writes} writes`);
  }
  const rows = await database.read('reorgs', { from_ms: 0, before_ms: 8e12, before_fork: 0, limit: 9 });
  t.is(rows.length, 0, 'no node contradicted a block');
});
