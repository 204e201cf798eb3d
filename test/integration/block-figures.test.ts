import { ClickHouseError } from '@clickhouse/client';
import test from 'ava';
import { SeriesReader } from '#api/read/charts/series-reader.ts';
import { OpenBuckets } from '#api/tail/open-buckets.ts';
import { ApiProblem } from '#api/terms/errors.ts';
import { deriveMissingFigures } from '#pipeline/figures/derive-figures.ts';
import { PipelineReport } from '#pipeline/report.ts';
import { ChainStateStore } from '#pipeline/store/chain-state-store.ts';
import { rederive } from '#pipeline/store/rederive.ts';
import { Rollups, reopenedMarks } from '#pipeline/store/rollups.ts';
import { verifyChain } from '#pipeline/verify/verify-chain.ts';
import { known } from '#runtime/known.ts';
import { loadStatements } from '#sql/compile/statements.ts';
import { readChainState } from '#sql/snapshot.ts';
import { ClaimLostError, StoreError } from '#sql/store-error.ts';
import { type IndexedChain, startIndexedChain } from '#test/helpers/indexed-chain.ts';
import { waitFor } from '#test/helpers/processes.ts';

let indexed: IndexedChain;

test.before(async () => {
  indexed = await startIndexedChain({ blocks: 90, blockSeconds: 400 });
  // the tests remove rows from which sums are computed
  const areClosed = async () => {
    const { hourThrough, finalized } = (await readChainState(indexed.pipeline.deps.database))!;
    return hourThrough === Math.floor(indexed.blocks[finalized]!.time / 3_600) * 3_600;
  };
  await waitFor(areClosed, 30_000, 'all hours are summed');
});

test.after.always(() => indexed?.stop());

async function storedFigures(which: 'all' | 'settled'): Promise<readonly string[]> {
  const { database } = indexed.pipeline.deps;
  const rows = await database.read<{ row: string }>({
    ...known(loadStatements().get('chain_state'), 'a statement'),
    sql: `SELECT toString(tuple(*)) AS row FROM block_figures FINAL ${which === 'all' ? '' : 'WHERE final = 1'} ORDER BY final, block_number`,
    parameters: [],
  });
  return rows.map(({ row }) => row);
}

test.serial('missing rows of block_figures are derived from stored rows as the encoder wrote them', async (t) => {
  const { deps } = indexed.pipeline;
  const state = (await readChainState(deps.database))!;
  const [written, finalized] = [await storedFigures('all'), await storedFigures('settled')];
  t.true(written.length >= indexed.blocks.length);
  await deps.database.command('TRUNCATE TABLE block_figures');

  const reader = new SeriesReader(deps.database);
  const error = await t.throwsAsync(reader.open('day', state), { instanceOf: ApiProblem });
  t.is(error.code, 'indexing');
  const bounds = { blocks: 0, transactions: 0, actors: 0 };
  const ofRows = new SeriesReader(deps.database, new OpenBuckets(deps.database, bounds));
  await t.throwsAsync(ofRows.open('hour', state), { instanceOf: ApiProblem });

  await deriveMissingFigures(deps, 0, state.head);
  t.deepEqual(await storedFigures('all'), finalized); // unfinalized blocks get figures when they are finalized
  await t.throwsAsync(reader.open('day', { ...state, version: state.version + 1 }), { instanceOf: ApiProblem });
  await rederive(deps, 'block_figures');
  t.deepEqual(await storedFigures('all'), written);
  const series = await new SeriesReader(deps.database).open('day', state);
  t.true(series.size > 0);
});

test.serial('rederive leaves the table as it is if another process took over before the exchange', async (t) => {
  const { deps } = indexed.pipeline;
  const written = await storedFigures('all');
  const markers = () => deps.database.read('head_markers');
  const before = await markers();
  // like a process that takes over after the command stopped
  const dropMarker = async () => {
    const own = (await markers()).find(({ name }) => !before.some((one) => one.name === name));
    if (own) await deps.database.execute('drop_marker', { table: own.name });
  };
  await t.throwsAsync(rederive({ ...deps, database: deps.database.inTurn(dropMarker) }, 'block_figures'), {
    instanceOf: ClaimLostError,
    message: /^exchange_tables: /,
  });
  t.deepEqual(await storedFigures('all'), written);
  const left = await deps.database.read('tables_by_prefix', { prefix: 'block_figures_' });
  t.deepEqual(left, []);
});

test.serial(
  'sums of times that need too much memory are computed in smaller steps, and failures are reported',
  async (t) => {
    const { deps } = indexed.pipeline;
    const { database } = deps;
    const read = async () => {
      const sql =
        "SELECT toString(tuple(*)) AS row FROM chart_buckets FINAL WHERE resolution IN ('5min', 'hour') ORDER BY row";
      const rows = await database.read<{ row: string }>({
        ...known(loadStatements().get('chain_state'), 'a statement'),
        sql,
        parameters: [],
      });
      return rows.map(({ row }) => row);
    };
    const before = await read();
    t.true(before.length > 0);
    let most = 0; // maximum blocks per step for which the database has memory
    const steps: number[] = [];
    const execute = async (name: string, given: { from_block: number; to_block: number; resolution?: string }) => {
      // a day is the smallest step, and can contain most of the chain
      if (name !== 'close_buckets' || given.resolution === 'day')
        return database.execute(name as never, given as never);
      const blocks = given.to_block - given.from_block + 1;
      steps.push(blocks);
      const cause = new ClickHouseError({
        message: 'memory limit exceeded',
        code: '241',
        type: 'MEMORY_LIMIT_EXCEEDED',
      });
      if (blocks > most) throw new StoreError(`${name}: memory limit exceeded`, false, { cause });
      return database.execute(name, given as never);
    };
    const changed: Record<string, unknown> = { execute, retryingFor: () => limited };
    const limited: typeof database = new Proxy(database, {
      get: (target, name: string) => {
        const own = changed[name] ?? Reflect.get(target, name, target);
        return typeof own === 'function' ? own.bind(target) : own;
      },
    });
    const report = new PipelineReport();
    const own = { ...deps, signal: new AbortController().signal, database: limited, report };
    const store = new ChainStateStore(own);
    await store.load();
    const rollups = new Rollups(own, store);
    await rollups.reopen(() => store.retract((state) => reopenedMarks(state)));
    for (let i = 0; i < 3; i++) await rollups.closeOrLog();
    t.like(report.state.jobFaults, [{ job: 'rollups' }]);
    t.regex(report.state.jobFaults[0]!.fault, /memory limit exceeded/);
    most = 40;
    steps.length = 0;
    await rollups.close();
    t.deepEqual(report.state.jobFaults, []);
    await rollups.reopen(() => store.retract((state) => reopenedMarks(state)));
    await new Rollups(own, store).close();
    t.true(steps.some((blocks) => blocks > most) && steps.some((blocks) => blocks <= most), String(steps));
    t.deepEqual(report.state.jobFaults, []);
    t.deepEqual(await read(), before);
  },
);

test.serial('verify finds a figure that differs from its block', async (t) => {
  const { deps } = indexed.pipeline;
  const sound = await verifyChain(deps, { baseOnly: true });
  t.deepEqual(sound.differences, []);
  t.is(sound.figures, sound.blocks);
  const change = 'SELECT * REPLACE (plain_count + 1 AS plain_count) FROM block_figures WHERE block_number = 40';
  await deps.database.command(`INSERT INTO block_figures ${change}`);
  const { differences } = await verifyChain(deps, { fromBlock: 38, toBlock: 42, baseOnly: true });
  t.true(differences.length > 0 && differences.every(({ where, key }) => where === 'figures' && key === '40'));
});

test.serial('sums of the highest gas limits do not overflow', async (t) => {
  const { deps } = indexed.pipeline;
  const highest = 2n ** 64n - 1n;
  await deps.database.command(
    `ALTER TABLE block_figures UPDATE gas_limit = ${highest} WHERE final = 1 SETTINGS mutations_sync = 2`,
  );
  const own = { ...deps, signal: new AbortController().signal };
  const store = new ChainStateStore(own);
  await store.load();
  const rollups = new Rollups(own, store);
  await rollups.reopen(() => store.retract((state) => reopenedMarks(state)));
  await rollups.close();
  const sums = await deps.database.read<{ blocks: string; gas: string }>({
    ...known(loadStatements().get('chain_state'), 'a statement'),
    sql: "SELECT block_count AS blocks, gas_limit AS gas FROM chart_buckets FINAL WHERE resolution = 'hour' AND gas_limit > 0",
    parameters: [],
    budget: { maxSeconds: 5, maxMemoryBytes: 1e9, maxResultRows: 1_000 },
  });
  t.true(sums.length > 2 && sums.some(({ blocks }) => Number(blocks) > 1));
  for (const { blocks, gas } of sums) t.is(BigInt(gas), BigInt(blocks) * highest);
});
