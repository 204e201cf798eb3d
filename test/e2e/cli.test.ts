import test from 'ava';
import type { DevChain } from '#devchain/devchain.ts';
import { rederive } from '#pipeline/store/rederive.ts';
import { rewind } from '#pipeline/store/rewind.ts';
import { readTraced } from '#pipeline/traces/traced-ranges.ts';
import { verifyChain } from '#pipeline/verify/verify-chain.ts';
import { pausePipelines } from '#pipeline/workers/pause-pipelines.ts';
import { silentLog } from '#runtime/log.ts';
import type { Database } from '#sql/client.ts';
import { resolveStatement } from '#sql/compile/calls.ts';
import type { Statement } from '#sql/compile/statements.ts';
import { getSchemaProblem } from '#sql/migrate.ts';
import type { Parameters } from '#sql/parameters.ts';
import { mineInternalCalls } from '#test/helpers/internal-traffic.ts';
import { runCordscan, waitFor } from '#test/helpers/processes.ts';
import { headReader, startDevChain, startPipeline, startTestEngine, type TestEngine } from '#test/helpers/service.ts';

let engine: TestEngine;
let chain: DevChain;

test.before(async () => {
  [engine, chain] = await Promise.all([startTestEngine(), startDevChain({ blocks: 60, blockSeconds: 600 })]);
});

test.after.always(async () => {
  await chain?.stop();
  await engine?.stop();
});

const settings = (more: Record<string, string>) => ({
  RPC_URL: chain.rpc.url,
  CLICKHOUSE_URL: engine.url,
  LOG_LEVEL: 'warn',
  ...more,
});

test.serial('CLI lists every configuration error and exits with 2', async (t) => {
  const { code, output } = await runCordscan(['index'], {
    PORT: 'http',
    FINALITY_DEPTH: '5',
    GENESIS_HASH: '0x12',
    RPC_URL: 'ftp://x',
  });
  t.is(code, 2);
  for (const name of ['PORT', 'FINALITY_DEPTH', 'GENESIS_HASH', 'RPC_URL']) t.regex(output, new RegExp(`- ${name}\\b`));
});

test.serial('start fails for a node with another chain id or genesis', async (t) => {
  const otherId = await runCordscan(['index'], settings({ CHAIN_ID: '1', CLICKHOUSE_DATABASE: 'other_id' }));
  t.is(otherId.code, 2);
  t.regex(otherId.output, /serves chain 271828, CHAIN_ID is 1/);
  const wrong = { GENESIS_HASH: `0x${'1'.repeat(64)}`, CLICKHOUSE_DATABASE: 'other_genesis' };
  const otherGenesis = await runCordscan(['index'], settings(wrong));
  t.is(otherGenesis.code, 2);
  t.regex(otherGenesis.output, /serves genesis 0x[0-9a-f]{64}, expected 0x1111/);
});

test.serial('start fails for a database that holds another chain', async (t) => {
  const database = await engine.open('stored_chain');
  const pipeline = startPipeline({ database, urls: [chain.rpc.url] });
  t.teardown(() => pipeline.stop());
  await pipeline.caughtUp(headReader(chain));
  await pipeline.stop();
  const other = await startDevChain({ blocks: 40, genesisTime: 1_600_000_000 });
  t.teardown(() => other.stop());
  const env = settings({ CLICKHOUSE_DATABASE: 'stored_chain' });
  const refused = await runCordscan(['index'], { ...env, RPC_URL: other.rpc.url });
  t.is(refused.code, 2);
  t.regex(refused.output, /serves genesis/);
  await other.stop();
  const verify = async (...options: string[]) => {
    const { code, output } = await runCordscan(['verify', ...options], env);
    return `${code} ${output}`;
  };
  t.regex(await verify(), /^0 .*61 blocks.*0 differences/s);
  t.regex(await verify('--to', '70'), /^1 .*10 requested blocks were not compared/s);
  t.regex(await verify('--to', '70', '--sample', '1'), /^1 .*10 requested blocks were not compared/s);
  t.regex(await verify('--sample', '1'), /^0 /);
  t.regex(await verify('--from', '70'), /^1 .*no requested block was compared/s);
  const rewound = await runCordscan(['rewind', '20'], env);
  t.is(rewound.code, 0, rewound.output);
  const status = await runCordscan(['status'], env);
  t.regex(status.output, /head: 20,.*nodeHead: 60,.*lagBlocks: 40,.*pipelineSilentSeconds: null/s);
  const unknown = await runCordscan(['status'], { ...env, RPC_URL: other.rpc.url });
  t.regex(unknown.output, /nodeHead: null,.*lagBlocks: null,/s, 'no node answers');
});

test.serial('backup of a running pipeline is restored under another name and continues', async (t) => {
  const database = await engine.open('saved');
  const own = await startDevChain({ blocks: 90, seed: 9 });
  t.teardown(() => own.stop());
  const env = settings({ RPC_URL: own.rpc.url, CLICKHOUSE_DATABASE: 'saved' });
  const early = await runCordscan(['backup', 'early'], env);
  t.is(early.code, 1);
  t.regex(early.output, /nothing is stored yet/);
  const pipeline = startPipeline({ database, urls: [own.rpc.url] });
  t.teardown(() => pipeline.stop());
  await pipeline.caughtUp(headReader(own));
  const mining = own.mineLive(25); // blocks are added, finalized and removed during the backup
  const saved = await runCordscan(['backup', 'nightly'], env);
  t.is(saved.code, 0, saved.output);
  const through = Number(/up to block (\d+)/.exec(saved.output)![1]);
  await mining;
  await pipeline.caughtUp(headReader(own));
  for (const [name, text] of [
    ['../out', /has letters, digits/],
    ['nightly', /already exists/i],
  ] as const) {
    const refused = await runCordscan(['backup', name], env);
    t.is(refused.code, 1);
    t.regex(refused.output, text);
  }
  const occupied = await runCordscan(['restore', 'nightly'], env);
  t.is(occupied.code, 1);
  t.regex(occupied.output, /database saved is not empty/);
  // a backup that was killed before its check
  await database.command(`BACKUP TABLE saved.chain_identity AS cordscan.chain_identity TO File('half/rows')`);
  const half = await runCordscan(['restore', 'half'], { ...env, CLICKHOUSE_DATABASE: 'restored' });
  t.is(half.code, 1, half.output);
  t.regex(
    half.output,
    /there is no backup half, or it was interrupted, its check failed, or an earlier version made it/,
  );
  const restored = await runCordscan(['restore', 'nightly'], { ...env, CLICKHOUSE_DATABASE: 'restored' });
  t.is(restored.code, 0, restored.output);
  const copy = await engine.open('restored');
  const second = startPipeline({ database: copy, urls: [own.rpc.url] });
  t.teardown(() => second.stop());
  const { head, finalized, reorgGeneration } = (await second.state())!;
  t.true(reorgGeneration > (await pipeline.state())!.reorgGeneration, 'positions in the old service are older');
  t.true(head === finalized && head >= through, `${head} is the head, ${finalized} is final, ${through} was promised`);
  await own.mineLive(2);
  await second.caughtUp(headReader(own));
  t.deepEqual((await second.verify()).differences, []);
  await second.stop();
  await pipeline.caughtUp(headReader(own));
  t.deepEqual((await pipeline.verify()).differences, [], 'what was saved is untouched');
});

test.serial('verify ignores rows removed meanwhile and reports wrong ones', async (t) => {
  const database = await engine.open('verified');
  const pipeline = startPipeline({ database, urls: [chain.rpc.url] });
  t.teardown(() => pipeline.stop());
  await pipeline.caughtUp(headReader(chain));
  const differences = async (finalizedGoes: boolean) => {
    let looks = 0;
    const read = async (statement: Statement, parameters?: Parameters) => {
      if (statement.name === 'view_swaps' && looks++ === 0) return [{ detail: 'a row is missing' }];
      return database.read(statement, parameters);
    };
    const readBinary = async (name: Statement | 'chain_state', parameters?: Parameters) => {
      if (name !== 'chain_state') return database.readBinary(name, parameters);
      const rows = await database.readBinary(name);
      if (looks !== 1 || !finalizedGoes) return rows;
      return rows.map((row) => ({ ...row, dropped_through: String(Number(row.finalized) + 1) }));
    };
    const seen = { ...pipeline.deps, database: { read, readBinary } as Database };
    return (await verifyChain(seen, { fromBlock: 1, toBlock: 1 })).differences.map(({ where }) => where);
  };
  t.deepEqual(await differences(true), []);
  t.deepEqual(await differences(false), ['view_swaps']);
});

test.serial('program runs with a newer schema, unless tables that it reads were removed', async (t) => {
  const database = await engine.open('newer');
  const record = (number: number, isDestructive: 0 | 1) =>
    database.command(
      `INSERT INTO schema_migrations (number, name, checksum, takes_away) VALUES (${number}, 'm${number}', '', ${isDestructive})`,
    );
  t.is(await getSchemaProblem(database), undefined);
  await record(9_000, 0);
  t.is(await getSchemaProblem(database), undefined);
  await record(9_001, 1);
  t.is(await getSchemaProblem(database), 'too new: migration m9001 removed tables or columns that this program reads');
});

test.serial(
  'rederive rebuilds derived tables and rollups from their rows while the pipeline stores blocks',
  async (t) => {
    const env = settings({ CLICKHOUSE_DATABASE: 'rederived' });
    const database = await engine.open('rederived');
    const pipeline = startPipeline({ database, urls: [chain.rpc.url] });
    t.teardown(() => pipeline.stop());
    await pipeline.caughtUp(headReader(chain));
    await database.command('TRUNCATE TABLE token_transfers');
    await database.command(
      'INSERT INTO logs_by_address SELECT * REPLACE (log_index + 7000 AS log_index) FROM logs_by_address',
    );
    t.true((await pipeline.verify()).differences.length > 0);
    const grow = async () => {
      const before = (await pipeline.state())!.head;
      await chain.mineLive(1);
      await pipeline.caughtUp(headReader(chain));
      return (await pipeline.state())!.head > before;
    };
    for (const table of ['token_transfers', 'logs_by_address', 'token_transfers_by_address', 'block_figures']) {
      const running = runCordscan(['rederive', table], env);
      let isDone = false;
      void running.finally(() => {
        isDone = true;
      });
      for (let fewest = 0; !isDone && table !== 'token_transfers'; ) {
        const rows = Number((await database.readOne('count_table', { table })).rows);
        t.true(rows >= fewest, `${table} has ${rows} rows, less than ${fewest}`);
        if (table !== 'logs_by_address') fewest = rows;
        t.true(await grow());
      }
      const { code, output } = await running;
      t.is(code, 0, output);
      t.regex(output, new RegExp(`${table} is rebuilt: \\d+ rows before, [1-9]\\d* after`));
    }
    t.true(await grow());
    t.deepEqual((await pipeline.verify()).differences, []);
    const none = await runCordscan(['rederive', 'blocks'], env);
    t.is(none.code, 1);
    t.regex(none.output, /table must be one of .*token_transfers.*rollups, got blocks/);
    await database.command('INSERT INTO chart_buckets SELECT * REPLACE (bucket + 1 AS bucket) FROM chart_buckets');
    const wrong = async () => {
      const sql = 'SELECT count() AS rows FROM chart_buckets WHERE toUnixTimestamp(bucket) % 60 = 1';
      return Number((await database.read<{ rows: string }>({ ...resolveStatement('chain_state'), sql }))[0]!.rows);
    };
    t.true((await wrong()) > 0);
    const rollups = await runCordscan(['rederive', 'rollups'], env);
    t.is(rollups.code, 0, rollups.output);
    t.is(await wrong(), 0);
    t.true(await grow());
    t.is(pipeline.failure(), undefined);
    t.deepEqual((await pipeline.verify()).differences, []);
  },
);

test.serial('rederive keeps rows that were traced, and those of another branch, while it copied', async (t) => {
  const own = await startDevChain({ blocks: 30, seed: 31 });
  t.teardown(() => own.stop());
  await mineInternalCalls(own);
  await own.mineLive(45);
  const database = await engine.open('traced_late');
  const start = (traces: 'on' | 'off') => startPipeline({ database, urls: [own.rpc.url], settings: { traces } });
  let pipeline = start('off');
  t.teardown(() => pipeline.stop());
  await pipeline.caughtUp(headReader(own));
  const rederiveWhile = async (change: () => Promise<void>) => {
    let isChanged = false;
    const execute = async (statement: Statement, parameters: Parameters) => {
      await database.execute(statement, parameters);
      if (statement.name !== 'rederive' || isChanged) return;
      isChanged = true;
      await change();
    };
    const get = (target: Database, name: keyof Database) =>
      name === 'execute' ? execute : typeof target[name] === 'function' ? target[name].bind(target) : target[name];
    const deps = { database: new Proxy(database, { get: get as never }), log: silentLog };
    const { after } = await rederive(deps, 'internal_calls_by_address');
    t.true(isChanged);
    return after;
  };
  const traced = await rederiveWhile(async () => {
    await pipeline.stop();
    pipeline = start('on');
    const head = (await pipeline.caughtUp(headReader(own))).finalized;
    const isTraced = async () => (await readTraced({ database })).some(({ toBlock }) => toBlock >= head);
    await waitFor(isTraced, 30_000, 'all blocks are traced');
  });
  t.true(traced > 0);
  t.deepEqual((await pipeline.verify()).differences, []);
  const rows = await rederiveWhile(async () => {
    await pipeline.stop();
    await rewind({ database, log: silentLog }, 20);
    await own.reorg((await headReader(own)()) - 25);
    pipeline = start('on');
    await pipeline.caughtUp(headReader(own));
  });
  t.true(rows > 0);
  const deps = { database, log: silentLog };
  const second = pausePipelines(deps, () => rederive(deps, 'token_transfers'));
  await t.throwsAsync(second, { message: /another command changes this database/ });
  await own.mineLive(1);
  await pipeline.caughtUp(headReader(own));
  t.deepEqual((await pipeline.verify()).differences, []);
});

test.serial('help of every command ends with examples', async (t) => {
  for (const command of [['verify'], ['integrator', 'deposits']]) {
    const { code, output } = await runCordscan([...command, '--help'], {});
    t.is(code, 0);
    t.regex(output, new RegExp(`Examples:\\n +cordscan ${command.join(' ')} `));
  }
  t.regex((await runCordscan(['--version'], {})).output, /^\d+\.\d+\.\d+\n$/);
});
