import test from 'ava';
import { formatEther } from 'ethers';
import { XMLValidator } from 'fast-xml-parser';
import { presets } from '#api/pages/presets.ts';
import { importManifest } from '#pipeline/sources/import-manifest.ts';
import { ChainStateStore } from '#pipeline/store/chain-state-store.ts';
import { readChainModel } from '#test/helpers/chain-model.ts';
import { askQuery, compareRandom, compareSql } from '#test/helpers/compare-query.ts';
import { type IndexedChain, startIndexedChain } from '#test/helpers/indexed-chain.ts';
import { buildModelCalls, mineInternalCalls, mineOddCreations } from '#test/helpers/internal-traffic.ts';
import { toDocument, toId, toManifest } from '#test/helpers/manifests.ts';
import { findForeignContent, readPage } from '#test/helpers/page-reader.ts';
import { getTrades, type QueryChain } from '#test/helpers/query-model.ts';
import { chainId, headReader } from '#test/helpers/service.ts';

/** Number of random queries; half as many follow with repeated inserts and after a reorg. */
const rounds = Number(process.env['STATS_QUERIES'] ?? 60);
let indexed: IndexedChain;
let model: QueryChain;

test.before(async () => {
  const chain = { blobs: true, blocks: 200, seed: 9, blockSeconds: 140_000, genesisTime: 1_700_000_000 };
  indexed = await startIndexedChain(chain, { traces: 'on' });
  await mineInternalCalls(indexed.chain);
  await mineOddCreations(indexed.chain);
  model = await readModel();
  indexed = { ...indexed, blocks: [...model.blocks] };
});

async function readModel(): Promise<QueryChain> {
  const { chain, pipeline } = indexed;
  const { head } = await pipeline.caughtUp(headReader(chain));
  return { blocks: await readChainModel(chain.rpc, head), calls: await buildModelCalls(chain, head) };
}

test.after.always(() => indexed?.stop());

// biome-ignore lint/suspicious/noExplicitAny: replies are checked field by field
type Reply = any;

const ask = (parameters: Record<string, string>): Promise<Reply> => askQuery(indexed.api, parameters);

test.serial('a failed creation of a contract reaches no recipient', async (t) => {
  const failed = model.blocks.flatMap(({ txs }) => txs).filter(({ to, status }) => to === null && status === 0);
  t.true(failed.length > 0);
  const { series } = await ask({ groupBy: 'recipient', status: 'failure', resolution: 'all', top: '50' });
  const none = series.find(({ keys }: Reply) => keys.recipient === 'none');
  t.is(none.total, String(failed.length));
  const named = new Set(failed.map(({ created }) => created));
  t.deepEqual(
    series.filter(({ keys }: Reply) => named.has(keys.recipient)),
    [],
  );
});

test.serial('a log without topics is not counted under the topic of zeros', async (t) => {
  const given = { of: 'logs', groupBy: 'topic', resolution: 'all', top: '50' } as const;
  const { series } = await ask(given);
  t.is(model.blocks.flatMap(({ logs }) => logs).filter(({ topics }) => topics.length === 0).length, 1);
  t.is(series.find(({ keys }: Reply) => keys.topic === '0x')?.total, '1');
  t.deepEqual(await compareSql(indexed.api, { ...given, measure: 'count', groupBy: ['topic'] }, given, series), []);
});

test.serial(
  'random queries and their SQL equal a count of the chain by hand, also with repeated inserts and after a reorg',
  async (t) => {
    t.deepEqual(await compareRandom(indexed.api, 1, rounds, model), []);
    for (const table of [
      'transactions',
      'address_roles',
      'logs',
      'token_transfers',
      'token_transfers_by_address',
      'internal_calls',
      'internal_calls_by_address',
      'blocks',
    ])
      await indexed.pipeline.deps.database.command(
        `INSERT INTO ${table} SELECT * FROM ${table} WHERE final = 1 AND block_number BETWEEN 20 AND 150`,
      ); // like a pipeline that restarts during an insert
    t.deepEqual(await compareRandom(indexed.api, 3, rounds / 4, model), []);
    await indexed.chain.reorg(6);
    await indexed.chain.mineLive(3);
    t.deepEqual(await compareRandom(indexed.api, 2, rounds / 4, await readModel()), []);
  },
);

test.serial('all other groups count together, shares and running totals agree with counts', async (t) => {
  const all = await ask({ groupBy: 'recipient', top: '3', resolution: 'month' });
  const whole = await ask({ resolution: 'month' });
  t.is(all.series.length, 4);
  t.true(all.series[3].isOther);
  t.deepEqual(all.series[3].keys, { recipient: 'other' });
  const sums = whole.series[0].points.map((_: Reply, i: number) =>
    all.series.reduce((sum: number, { points }: Reply) => sum + Number(points[i].value), 0),
  );
  t.deepEqual(
    sums,
    whole.series[0].points.map(({ value }: Reply) => Number(value)),
  );
  t.is(
    all.series.reduce((sum: number, { total }: Reply) => sum + Number(total), 0),
    Number(whole.series[0].total),
  );
  const failed = await ask({ status: 'failure', resolution: 'all' });
  const share = await ask({ measure: 'share', status: 'failure', resolution: 'all' });
  const ratio = Number(failed.series[0].total) / Number(whole.series[0].total);
  t.true(Math.abs(Number(share.series[0].total) - ratio) < 1e-6);
  const running = await ask({ cumulative: 'true', resolution: 'week', from: '1710000000' });
  t.is(running.series[0].total, whole.series[0].total);
  const values = running.series[0].points.map(({ value }: Reply) => Number(value));
  t.deepEqual(
    values,
    [...values].sort((a: number, b: number) => a - b),
  );
  t.is(values.at(-1), Number(whole.series[0].total));
  const queries = [
    { measure: 'share', status: 'failure', resolution: 'day' },
    { measure: 'share', field: 'fee', account: indexed.blocks[20]!.txs[0]!.from, resolution: 'month' },
    { cumulative: 'true', measure: 'sum', field: 'fee', groupBy: 'type', resolution: 'week', from: '1710000000' },
    { of: 'nft_trades', measure: 'share', token: getTrades(indexed.blocks)[0]!.token, resolution: 'all' },
    { of: 'blocks', measure: 'share', field: 'base_fee', producer: indexed.blocks[3]!.miner, resolution: 'day' },
    {
      ...{ cumulative: 'true', of: 'token_transfers', token: indexed.transfers[0]!.token },
      ...{ measure: 'sum', field: 'value', resolution: 'month', from: '1701000000' },
    },
    { cumulative: 'true', measure: 'new', field: 'sender', resolution: 'month', from: '1701000000' },
  ];
  for (const { groupBy = '', ...query } of queries) {
    const given = groupBy === '' ? query : { ...query, groupBy };
    const shape = { ...query, groupBy: groupBy === '' ? [] : [groupBy] };
    t.deepEqual(await compareSql(indexed.api, shape, given, (await ask(given)).series), []);
  }
});

test.serial('amounts of different tokens are never added', async (t) => {
  const { series } = await ask({
    ...{ of: 'token_transfers', measure: 'sum', field: 'value', groupBy: 'token', top: '1', resolution: 'all' },
  });
  t.deepEqual(
    series.map(({ isOther }: Reply) => isOther),
    [false],
  );
  const counted = await ask({ of: 'token_transfers', groupBy: 'token', top: '1', resolution: 'all' });
  t.is(counted.series.length, 2);
});

test.serial('categories and labels of the registry stand for their addresses', async (t) => {
  const [first, second] = [...new Set(indexed.blocks.flatMap(({ txs }) => txs.map(({ from }) => from)))];
  const entity = (label: string, address: string) => ({
    kind: 'wallet',
    label,
    id: toId(label),
    address,
    category: 'exchange',
  });
  const manifest = toManifest([entity('Desk A', first!), entity('Desk B', second!)]);
  await importManifest(indexed.pipeline.deps, toDocument(manifest), { chainId });
  const byHand = await ask({ sender: `${first},${second}`, resolution: 'month' });
  const byCategory = await ask({ sender: 'category:exchange', resolution: 'month' });
  t.deepEqual(byCategory.series, byHand.series);
  const one = await ask({ sender: 'label:desk a', resolution: 'month' });
  t.deepEqual(one.series, (await ask({ sender: first!, resolution: 'month' })).series);
});

test.serial('CSV says the same as JSON, and SQL describes the query', async (t) => {
  const query = { groupBy: 'status', resolution: 'year', from: '0' };
  const { series, updatedAtBlock } = await ask(query);
  const csv = await indexed.api.get(`/api/v1/stats/query?${new URLSearchParams({ ...query, format: 'csv' })}`);
  t.is(csv.headers.get('x-as-of-block'), String(updatedAtBlock));
  const lines = String(csv.body).trim().split('\r\n');
  t.is(lines[0], 'Date(UTC),UnixTimeStamp,status,Value');
  t.is(lines.length - 1, series.length * series[0].points.length);
  t.true(lines[1]!.endsWith(`,success,${series[0].points[0].value}`));
  const sql = await indexed.api.get(`/api/v1/stats/query?${new URLSearchParams({ ...query, format: 'sql' })}`);
  t.regex(String(sql.body), /^-- Transactions: Number, by status\nWITH matching AS/);
  const chart = `/sql?${new URLSearchParams({ chart: String(new URLSearchParams(query)) })}`;
  const page = await readPage(indexed.api, chart);
  t.true(page.text.includes('SELECT toDateTime(toStartOfYear(timestamp)'), page.text);
  t.is((await readPage(indexed.api, '/sql?chart=measure%3Dsum')).status, 400);
});

test.serial('refuses what it can not answer, and says what is accepted', async (t) => {
  const refused = async (parameters: Record<string, string>) => {
    const { status, body } = await indexed.api.get(`/api/v1/stats/query?${new URLSearchParams(parameters)}`);
    t.is(status, 400, JSON.stringify(parameters));
    return body.detail as string;
  };
  t.regex(await refused({ measure: 'sum' }), /field must be one of value, fee/);
  t.regex(await refused({ of: 'blocks', token: `0x${'1'.repeat(40)}` }), /accepts the filters producer, got token/);
  t.regex(await refused({ of: 'token_transfers', measure: 'sum', field: 'value' }), /different tokens/);
  t.regex(await refused({ sender: 'category:nothing' }), /no address with category nothing/);
  t.regex(await refused({ groupBy: 'sender,sender' }), /two different keys/);
  t.regex(await refused({ measure: 'share', groupBy: 'sender' }), /can not be grouped/);
  t.regex(await refused({ cumulative: 'true', measure: 'p50', field: 'fee' }), /cumulative requires/);
  t.regex(await refused({ counterparty: `0x${'1'.repeat(40)}` }), /counterparty requires the parameter account/);
  t.regex(await refused({ from: '2025-01-01', to: '2024-01-01' }), /from must not be after to/);
});

test.serial('a query that is too expensive is refused with an estimate and advice', async (t) => {
  const { settings } = indexed.api.deps;
  const before = settings.queryMaxRows;
  Object.assign(settings, { queryMaxRows: 100 });
  t.teardown(() => Object.assign(settings, { queryMaxRows: before }));
  const { status, body } = await indexed.api.get('/api/v1/stats/query?from=0&measure=p99&field=fee');
  t.is(status, 400);
  t.regex(body.detail, /the query costs \d+ \(about \d+ rows\), the maximum is 100: narrow from and to to about \d+ %/);
  t.true(body.details.cost > body.details.estimatedRows);
  const quiet = await indexed.api.get(`/api/v1/stats/query?from=0&measure=share&account=0x${'7'.repeat(40)}`);
  t.is(quiet.status, 400, 'a share reads all rows, whatever its filter');
  Object.assign(settings, { queryMaxRows: before });
  const long = await indexed.api.get('/api/v1/stats/query?from=0&resolution=5min&groupBy=sender&top=50');
  t.is(long.status, 400);
  t.regex(long.body.detail, /time buckets|buckets, at most/);
});

test.serial('queries and charts are also pictures, with the values and labels of their groups', async (t) => {
  const query = '/api/v1/stats/query?of=transactions&groupBy=sender&top=3&from=0&resolution=month';
  for (const path of [query, query.replace('month', 'all'), '/api/v1/stats/charts/newTxns?resolution=week&from=0']) {
    const svg = await indexed.api.get(`${path}&format=svg`);
    t.is(`${svg.status} ${svg.headers.get('content-type')}`, '200 image/svg+xml', path);
    t.true(XMLValidator.validate(svg.body) === true, path);
    t.regex(svg.body, /Exact up to block \d+/);
    const png = await fetch(`${indexed.api.origin}${path}&format=png`);
    t.is(`${png.status} ${png.headers.get('content-type')}`, '200 image/png', path);
    const bytes = Buffer.from(await png.arrayBuffer());
    t.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [1_200, 630], path);
  }
  const { series } = (await indexed.api.get(query)).body;
  const { body } = await indexed.api.get(`${query}&format=svg`);
  for (const { keys, isOther } of series)
    t.true(body.includes(isOther ? 'All others' : `${keys.sender.slice(0, 8)}…${keys.sender.slice(-6)}`), body);
  t.is([...body.matchAll(/<path d="[^"]+" fill="none"/g)].length, series.length, 'one line per series');
  const failed = await indexed.api.get(`${query}&status=failure&format=svg`);
  t.true(failed.body.includes('Transactions (status failure): Number, by sender'));
  const fees = '/api/v1/stats/query?measure=sum&field=fee&resolution=all&from=0';
  const [sum, drawn] = [await indexed.api.get(fees), await indexed.api.get(`${fees}&format=svg`)];
  t.true(drawn.body.includes('>FAT<'), 'amounts are in the coin, not in wei');
  t.true(drawn.body.includes(`>${formatEther(sum.body.series[0].total).slice(0, 21)}`));
  t.is((await indexed.api.get(`${query}&format=gif`)).status, 400);
});

test.serial('the page shows each preset query, and errors beside its form', async (t) => {
  for (const [title, , parameters] of presets) {
    const page = await readPage(indexed.api, `/charts/query?${parameters}`);
    t.is(page.status, 200, title);
    t.deepEqual(findForeignContent(page), [], title);
    t.regex(page.text, /estimated cost \d/, title);
    t.regex(page.text, /<img src="http[^"]+\/stats\/query\?[^"]+format=svg"/, title);
  }
  const { series } = await ask({ groupBy: 'sender', resolution: 'all', top: '25' });
  const page = await readPage(indexed.api, '/charts/query?groupBy=sender&resolution=all&top=25');
  for (const { total } of series) t.true(page.text.includes(Number(total).toLocaleString('en-US')));
  const wrong = await readPage(indexed.api, '/charts/query?measure=sum');
  t.is(wrong.status, 200);
  t.regex(wrong.text, /field must be one of value, fee/);
  for (const [more, detail] of [
    [`of=transactions&token=0x${'00'.repeat(20)}`, /of=transactions accepts the filters .*, got token/],
    ['of=transfers', /of must be/],
  ] as const)
    t.regex((await readPage(indexed.api, `/charts/query?${more}`)).text, detail, 'no filter is dropped');
});

test.serial('a board shows charts and queries of its URL, and what fails beside the others', async (t) => {
  const query = 'of=transactions&groupBy=sender&top=2&resolution=month&from=0';
  const items: [string, string][] = [
    ['chart', 'newTxns?resolution=week'],
    ['query', query],
    ['chart', 'nothing'],
    ['query', 'measure=sum'],
    ['title', '<b>Mine</b>'],
  ];
  const page = await readPage(indexed.api, `/board?${new URLSearchParams(items)}`);
  t.is(page.status, 200);
  t.deepEqual(findForeignContent(page), []);
  for (const text of ['<b>Mine</b>', 'by sender', 'unknown chart nothing', 'field must be one of'])
    t.true(page.text.includes(text), text);
  const figures = page.elements.filter(({ tagName }) => tagName === 'figure').length;
  t.is(figures, 1 + 3, 'one chart, and a drawing for each group of the query');
  const eleven = new URLSearchParams(Array.from({ length: 11 }, () => ['chart', 'newTxns'] as [string, string]));
  t.regex((await readPage(indexed.api, `/board?${eleven}`)).text, /5 more are not shown/);
  t.regex((await readPage(indexed.api, '/board')).text, /pin it to your board/);
});

test.serial('a range with blocks that are not indexed is an error, not a smaller number', async (t) => {
  const { database } = indexed.pipeline.deps;
  await indexed.pipeline.stop();
  const before = (await indexed.pipeline.state())!;
  const store = new ChainStateStore({ database });
  await store.load();
  await store.retract((state) => ({ backfilledBefore: 60, reorgGeneration: state.reorgGeneration + 1 }));
  t.true(before.followFrom > 60);
  const time = indexed.blocks[100]!.time;
  for (const parameters of ['from=0', `from=${time}`, 'measure=new&field=sender', `from=${time}&resolution=all`]) {
    const { status, body } = await indexed.api.get(`/api/v1/stats/query?${parameters}`);
    t.is(`${status} ${body.code}`, '503 indexing', parameters);
  }
  const early = await indexed.api.get(`/api/v1/stats/query?from=0&to=${indexed.blocks[40]!.time}&resolution=all`);
  t.is(early.status, 200);
});
