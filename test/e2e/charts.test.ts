import type { Counters, LineChart, LineCharts, UpdateStatus } from '@blockscout/stats-types';
import test from 'ava';
import { charts } from '#api/read/charts/catalogue/index.ts';
import { type Series, SeriesReader } from '#api/read/charts/series-reader.ts';
import { OpenBuckets } from '#api/tail/open-buckets.ts';
import { nextBucket, type Resolution } from '#api/terms/buckets.ts';
import { devEconomy } from '#devchain/known-economy.ts';
import { selfAudit } from '#pipeline/jobs/self-audit.ts';
import { ChainStateStore } from '#pipeline/store/chain-state-store.ts';
import { type ModelBlock, readChainModel } from '#test/helpers/chain-model.ts';
import { bucketAt, calendarStart, chartModels, type PlacedBucket } from '#test/helpers/chart-model.ts';
import { waitForTokens } from '#test/helpers/indexed-chain.ts';
import {
  getSubjects,
  ownChartModels,
  receivedModel,
  sentModel,
  stablecoinModels,
  subjectModels,
} from '#test/helpers/own-chart-model.ts';
import { headReader } from '#test/helpers/service.ts';
import './charts/counters.ts';
import './charts/holder-changes.ts';
import { exchanges, indexed } from './charts/chain.ts';

/** Charts that need traces, which this chain lacks; test/e2e/internal-calls.test.ts compares them. */
const ofTraces = ['newContractsByContracts', 'exchangeInflow', 'exchangeOutflow'];

interface ChartPoint {
  readonly timestamp: number;
  readonly value: string | null;
  readonly partial: boolean;
}

const readChart = async (id: string, resolution: string, more = '&from=0'): Promise<ChartPoint[]> => {
  const { status, body } = await indexed.api.get(`/api/v1/stats/charts/${id}?resolution=${resolution}${more}`);
  if (status !== 200) throw new Error(`${id} ${resolution}: ${JSON.stringify(body)}`);
  return body.points;
};

async function differences(
  blocks: readonly ModelBlock[],
  resolution: string,
  window: readonly [number, number],
): Promise<string[]> {
  const found: string[] = [];
  const compare = async (id: string, more: string, expect: (bucket: PlacedBucket, next: number) => string | null) => {
    for (const { timestamp, value } of await readChart(id, resolution, `&from=${window[0]}&to=${window[1]}${more}`)) {
      const expected = expect(bucketAt(blocks, resolution, timestamp), nextBucket(resolution as Resolution, timestamp));
      if (value !== expected) found.push(`${id}${more} ${resolution} ${timestamp}: is ${value}, should be ${expected}`);
    }
  };
  for (const chart of charts.filter((each) => each.resolutions.includes(resolution as Resolution))) {
    if (ofTraces.includes(chart.id)) continue;
    const model = models[chart.id] ?? (() => '0');
    const isUnknown = ({ blocks: { length } }: PlacedBucket) => length === 0 && chart.kind === 'rate';
    if (chart.subject === undefined) {
      await compare(chart.id, '', (bucket, next) => (isUnknown(bucket) ? null : model(bucket, next)));
      continue;
    }
    for (const subject of getSubjects(indexed.blocks, chart.subject))
      await compare(chart.id, `&subject=${subject}`, (bucket) => subjectModels[chart.id]!(bucket, subject));
  }
  return found;
}

const reorgsSeen: { readonly fork: number; readonly depth: number }[] = [];
const reorgsIn = ({ blocks }: PlacedBucket) =>
  reorgsSeen.filter(({ fork }) => blocks.some(({ number }) => number === fork)).map(({ depth }) => depth);
const models: Record<string, (bucket: PlacedBucket, next: number) => string | null> = {
  ...chartModels,
  ...ownChartModels,
  exchangeDeposits: ({ blocks }) => receivedModel(blocks, new Set(exchanges())),
  exchangeWithdrawals: ({ blocks }) => sentModel(blocks, new Set(exchanges())),
  ...stablecoinModels(devEconomy().dollars),
  reorgs: (bucket) => String(reorgsIn(bucket).length),
  reorgedBlocks: (bucket) => String(reorgsIn(bucket).reduce((sum, depth) => sum + depth, 0)),
  reorgDepth: (bucket) => String(Math.max(0, ...reorgsIn(bucket))),
};

test.serial('each chart at each resolution equals the recount', async (t) => {
  const state = (await indexed.pipeline.state())!;
  t.true(state.dayThrough > 0, 'closed days');
  t.true(state.head > state.finalized + 20, 'unfinalized blocks');
  const { blocks } = indexed;
  const [first, last] = [blocks[0]!.time, blocks.at(-1)!.time];
  for (const resolution of ['year', 'month', 'week'])
    t.deepEqual((await differences(blocks, resolution, [first, last])).slice(0, 5), [], resolution);
  // a full series is long, so check only its start, its end, and where closed buckets end and live ones begin
  const border = state.dayThrough;
  for (const [from, to] of [
    [first, first + 8 * 86_400],
    [border - 6 * 86_400, border + 6 * 86_400],
    [last - 4 * 86_400, last],
  ] as const)
    t.deepEqual((await differences(blocks, 'day', [from, to])).slice(0, 5), [], 'day');
  for (const resolution of ['hour', '5min']) {
    const width = resolution === 'hour' ? 140_000 : 7_000;
    t.deepEqual((await differences(blocks, resolution, [last - width, last])).slice(0, 5), [], resolution);
    t.deepEqual((await differences(blocks, resolution, [border - width, border + width])).slice(0, 5), [], resolution);
  }
});

test.serial('charts fill gaps, mark the last bucket as partial and keep the window, also in CSV', async (t) => {
  const days = await readChart('newTxns', 'day');
  const { blocks } = indexed;
  t.is(days[0]!.timestamp, calendarStart('day', blocks[0]!.time));
  t.is(days.at(-1)!.timestamp, calendarStart('day', blocks.at(-1)!.time));
  t.true(days.every((point, i) => i === 0 || point.timestamp === days[i - 1]!.timestamp + 86_400));
  t.true(days.some((point) => point.value === '0'));
  t.deepEqual(
    days.map((point) => point.partial),
    days.map((_, i) => i === days.length - 1),
  );
  const window = await readChart('tx', 'day', '&from=2024-01-30&to=2024-02-02');
  t.deepEqual(
    window.map((point) => new Date(point.timestamp * 1000).toISOString().slice(0, 10)),
    ['2024-01-30', '2024-01-31', '2024-02-01', '2024-02-02'],
  );
  t.is((await readChart('newTxns', 'day', '')).length, 30, 'the last 30 days where nothing is said');
  const csv = await indexed.api.get('/api/v1/stats/charts/newTxns?from=2024-01-30&to=2024-01-31&format=csv');
  t.is(csv.headers.get('content-type'), 'text/csv; charset=utf-8');
  const lines = csv.body.trim().split('\r\n');
  t.is(lines[0], 'Date(UTC),UnixTimeStamp,Value');
  t.deepEqual(
    lines.slice(1).map((line: string) => line.split(',').slice(1)),
    window.slice(0, 2).map((point) => [String(point.timestamp), point.value]),
  );
});

test.serial('charts reject an unknown chart, resolution or window and list what they accept', async (t) => {
  const reply = (path: string) => indexed.api.get(`/api/v1/stats/charts/${path}`);
  const unknown = await reply('nonsense');
  t.is(unknown.body.code, 'chart_not_found');
  t.true(unknown.body.details.charts.includes('newTxns'));
  t.regex((await reply('blockTimeP95?resolution=week')).body.detail, /must be one of 5min, hour, day/);
  t.regex((await reply('newTxns?from=2024-02-30x')).body.detail, /YYYY-MM-DD/);
  t.is((await reply('newTxns?from=2024-03-01&to=2024-02-01')).status, 400);
  t.regex((await reply('newTxns?resolution=5min&from=0')).body.detail, /at most 50000/);
  t.regex((await reply('transfersOfToken')).body.detail, /set subject to an address/);
  t.regex((await reply(`methodShare?subject=0x${'1'.repeat(40)}`)).body.detail, /a method id/);
  t.is((await indexed.api.get('/api/v1/lines/methodShare')).status, 400);
  for (const id of ofTraces) t.like((await reply(id)).body, { code: 'indexing', details: { traced: [] } });
  const noPool = await reply(`liquidityOfPool?subject=0x${'1'.repeat(40)}`);
  t.is(noPool.body.code, 'bad_query');
  t.is(noPool.body.details.pools.length, 2);
});

test.serial('chart list names every chart once in the format of Blockscout', async (t) => {
  const { body } = await indexed.api.get('/api/v1/stats/charts');
  const ids = body.items.map((item: { id: string }) => item.id);
  t.is(new Set(ids).size, ids.length);
  t.true([...Object.keys(models), ...Object.keys(subjectModels)].every((id) => ids.includes(id)));
  const lines: LineCharts = (await indexed.api.get('/api/v1/lines')).body;
  t.deepEqual(
    lines.sections.flatMap((section) => section.charts.map(({ id }) => id)).toSorted(),
    ids.filter((id: string) => !subjectModels[id]).toSorted(),
  );
  const line: LineChart = (await indexed.api.get('/api/v1/lines/newTxns?resolution=MONTH')).body;
  t.is(
    line.chart.reduce((sum, point) => sum + Number(point.value), 0),
    indexed.blocks.flatMap(({ txs }) => txs).length,
  );
  t.is(line.chart[0]!.date_to, '2023-11-30');
  t.true(line.chart.at(-1)!.is_approximate);
  const counters: Counters = (await indexed.api.get('/api/v1/counters')).body;
  const counter = (id: string) => counters.counters.find((each) => each.id === id)?.value;
  t.is(counter('totalTxns'), String(indexed.blocks.flatMap(({ txs }) => txs).length));
  t.is(counter('totalAccounts'), String(new Set(indexed.blocks.flatMap(({ txs }) => txs.map((tx) => tx.from))).size));
  t.is(counter('totalBlocks'), String(indexed.blocks.length));
  t.is(counter('totalTokens'), String(new Set(indexed.transfers.map(({ token }) => token)).size));
  const status: UpdateStatus = (await indexed.api.get('/api/v1/update-status')).body;
  t.is(String(status.all_status), 'COMPLETED_INITIAL_UPDATE');
  t.is(String(status.internal_transactions_dependent_status), 'RUNNING_INITIAL_UPDATE', 'no block has traces');
});

/** REORGS=20 runs this test longer. */
const reorgs = Number(process.env.REORGS ?? 3);

test.serial(`every chart equals the recount after ${reorgs} reorgs`, async (t) => {
  const { chain, pipeline } = indexed;
  for (let i = 0; i < reorgs; i++) {
    const depth = 1 + (i % 9);
    reorgsSeen.push({ fork: (await headReader(chain)()) - depth, depth });
    await chain.reorg(depth);
    await chain.mineLive(1);
    await pipeline.caughtUp(headReader(chain));
  }
  const head = (await pipeline.caughtUp(headReader(chain))).head;
  const blocks = await readChainModel(chain.rpc, head);
  const [first, last] = [blocks[0]!.time, blocks.at(-1)!.time];
  for (const resolution of ['year', 'month', 'week'])
    t.deepEqual((await differences(blocks, resolution, [first, last])).slice(0, 5), [], resolution);
  t.deepEqual((await differences(blocks, 'day', [last - 5 * 86_400, last])).slice(0, 5), []);
  t.deepEqual((await pipeline.verify()).differences, [], 'rollups of subjects and returns too');
});

test.serial('in-memory figures equal those of rows at each head and over a reorg', async (t) => {
  const { chain, pipeline } = indexed;
  const { database } = pipeline.deps;
  const held = new SeriesReader(database);
  const nothing = { blocks: 0, transactions: 0, actors: 0 };
  for (const move of [
    () => chain.mineLive(1),
    () => chain.mineLive(3),
    () => chain.reorg(4),
    () => chain.mineLive(2),
  ]) {
    await move();
    await pipeline.caughtUp(headReader(chain));
    // a slow reader starts again if its rows were finalized during the read
    const found = await indexed.api.deps.snapshots.run(async (state) => {
      const parameters = { resolution: 'day', through: state.dayThrough };
      const [first] = await database.read('chart_live_from', parameters);
      const isHeld = (await held.openBuckets.series(state, Number(first!.live_from))) !== undefined;
      const rows = new SeriesReader(database, new OpenBuckets(database, nothing));
      const read = async (resolution: '5min' | 'hour' | 'day') => [
        plain(await held.open(resolution, state)),
        plain(await rows.open(resolution, state)),
      ];
      return { isHeld, pairs: await Promise.all([read('5min'), read('hour'), read('day')]) };
    });
    t.true(found.isHeld, 'it is held');
    for (const [ofMemory, ofRows] of found.pairs) t.deepEqual(ofMemory, ofRows);
  }
});

const plain = (series: Series) =>
  [...series].sort(([a], [b]) => a - b).map(([time, figures]) => ({ time, ...figures, ranks: { ...figures.ranks } }));

test.serial('chart audit reports expected and actual values, and finds an extra row', async (t) => {
  const { pipeline, api } = indexed;
  await waitForTokens(indexed);
  interface Check {
    readonly name: string;
    readonly expected: string;
    readonly actual: string;
    readonly passed: boolean;
  }
  const audited = async () => {
    await selfAudit(pipeline.deps, { state: (await pipeline.state())!, finalizedChanges: 0 });
    const { body } = await api.get('/api/v1/status/audit');
    return { ...body, of: (name: string) => body.checks.find((check: Check) => check.name === name) as Check };
  };
  const sound = await audited();
  const failing = sound.checks.filter((check: Check) => !check.passed);
  t.true(
    failing.every((check: Check) => check.name.startsWith('holders_equal_supply')),
    JSON.stringify(failing),
  );
  t.true(sound.checks.filter((check: Check) => check.passed && check.name.startsWith('holders')).length >= 3);
  const state = (await pipeline.state())!;
  const blocks = (await readChainModel(indexed.chain.rpc, state.finalized)).filter(
    ({ number }) => number <= state.finalized,
  );
  const closed = blocks.filter(({ time }) => time < state.dayThrough);
  const total = (of: readonly ModelBlock[]) => String(of.flatMap(({ txs }) => txs).length);
  t.like(sound.of('daily_transactions'), { expected: total(closed), actual: total(closed), passed: true });
  t.like(sound.of('header_transactions'), { expected: total(blocks), passed: true });
  t.like(sound.of('header_logs'), { expected: String(blocks.flatMap(({ logs }) => logs).length), passed: true });
  t.true(Number(sound.of('sampled_receipts').expected) >= 20 && sound.of('sampled_receipts').passed);

  const source =
    '(SELECT * REPLACE (toUInt32(9999) AS tx_index) FROM transactions WHERE final = 1 ORDER BY block_number LIMIT 1)';
  await pipeline.deps.database.command(`INSERT INTO transactions SELECT * FROM ${source}`);
  const damaged = await audited();
  t.like(damaged.of('header_transactions'), {
    expected: total(blocks),
    actual: String(Number(total(blocks)) + 1),
    passed: false,
  });
  const status = (await indexed.api.get('/api/v1/status')).body;
  t.regex(status.alerts.join(), /the self-audit header_transactions of \S+ failed: expected \d+, found \d+/);
});

// last, because this test removes blocks from the index
test.serial('CSV of first occurrences is refused while any earlier block is missing', async (t) => {
  const { api, blocks, pipeline } = indexed;
  await pipeline.stop();
  const store = new ChainStateStore(pipeline.deps);
  await store.load();
  await store.retract((state) => ({ backfilledBefore: 5, reorgGeneration: state.reorgGeneration + 1 }));
  const { followFrom } = store.state;
  const from = Math.ceil(blocks[followFrom + 2]!.time / 300) * 300;
  for (const [chart, status] of [
    ['newTxns', 200],
    ['newAccounts', 503],
    ['accountsGrowth', 503],
    ['fatVolume', 503],
    [`newHoldersOfToken?subject=${indexed.transfers[0]!.token}`, 503],
  ] as const) {
    const range = `resolution=5min&from=${from}&to=${from + 3_600}`;
    const reply = await api.get(`/api/v1/stats/charts/${chart}${chart.includes('?') ? '&' : '?'}${range}&format=csv`);
    t.is(reply.status, status, `${chart} ${JSON.stringify(reply.body).slice(0, 300)}`);
  }
});
