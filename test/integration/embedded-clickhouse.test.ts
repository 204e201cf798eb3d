import { rm } from 'node:fs/promises';
import { createClient } from '@clickhouse/client';
import test from 'ava';
import { getQuery, postQuery } from '#test/helpers/ask-engine.ts';
import { pool } from '#test/helpers/pool.ts';
import { type RunningEngine, scratchFolder, startEngine, waitFor } from '#test/helpers/processes.ts';

let engine: RunningEngine;
let dir: string;

test.before(async () => {
  dir = await scratchFolder('cordscan-engine');
  engine = await startEngine(dir);
});

test.after.always(async () => {
  await engine?.stop();
  await rm(dir, { recursive: true, force: true });
});

const query = (sql: string | Buffer, parameters: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  postQuery(engine, sql, parameters, headers);
const get = (sql: string) => getQuery(engine, sql);

test('engine answers a ping, and queries in URL and body', async (t) => {
  t.is(await (await fetch(`${engine.origin}/ping`)).text(), 'Ok.\n');
  t.is(await (await get('SELECT%201')).text(), '1\n');
  t.is((await query('SELECT 1 + 1')).text, '2\n');
});

test('parameters are bound by type and keep quotes and backslashes', async (t) => {
  const value = `it's \\ "quoted" {x:Int8} -- ; é`;
  const escaped = value.replaceAll('\\', '\\\\');
  t.is(
    (await query('SELECT {s:String} = {s:String}, {n:UInt64} + 1', { param_s: escaped, param_n: '41' })).text,
    '1\t42\n',
  );
  t.is(
    (await query("SELECT '{n:UInt64}', /* {n:UInt64} */ {a:Array(UInt8)}", { param_a: '[1,2]' })).text,
    '{n:UInt64}\t[1,2]\n',
  );
  t.is((await query('SELECT count() FROM {table:Identifier}', { param_table: 'system`.`one' })).status, 404);
});

test('missing or out-of-range parameter is rejected (R-g)', async (t) => {
  const missing = await query('SELECT {x:UInt8}');
  t.is(missing.headers.get('x-clickhouse-exception-code'), '456');
  for (const [type, value] of [
    ['UInt256', (1n << 256n).toString()],
    ['UInt8', '256'],
    ['Int8', '-129'],
    ['UInt64', '-1'],
  ] as const) {
    const reply = await query(`SELECT toString({x:${type}})`, { param_x: value });
    t.is(reply.headers.get('x-clickhouse-exception-code'), '457', `${type} ${value}`);
  }
  t.is(
    (await query('SELECT {x:UInt256}', { param_x: ((1n << 256n) - 1n).toString() })).text.trim(),
    ((1n << 256n) - 1n).toString(),
  );
});

test('request with two statements is rejected and runs neither (R-f)', async (t) => {
  await query('CREATE TABLE stacked (a UInt8) ENGINE = MergeTree ORDER BY a');
  const reply = await query('SELECT 1; DROP TABLE stacked');
  t.is(reply.status, 400);
  t.regex(reply.text, /Multi-statements are not allowed/);
  t.is((await query('SELECT 1 -- one; two\n;')).text, '1\n', 'a semicolon at the end, or in a comment, is none');
  t.is((await query('EXISTS TABLE stacked')).text, '1\n');
});

test('GET and readonly requests cannot write', async (t) => {
  t.is((await get('CREATE+TABLE+x+(a+UInt8)+ENGINE+=+Memory')).status, 403);
  t.is(
    (await query('CREATE TABLE y (a UInt8) ENGINE = Memory', { readonly: '1' })).headers.get(
      'x-clickhouse-exception-code',
    ),
    '164',
  );
  t.is((await query('SELECT 7', { readonly: '1' })).text, '7\n');
});

test('settings apply to one request only, whether it fails or not (R-b)', async (t) => {
  const read = () =>
    query(
      "SELECT value FROM system.settings WHERE name IN ('max_threads', 'insert_deduplication_token', 'readonly') ORDER BY name",
    );
  const before = (await read()).text;
  await query('SELECT 1', { max_threads: '1', insert_deduplication_token: 'T1' });
  await query('SELECT throwIf(1)', { max_threads: '1', insert_deduplication_token: 'T1' });
  await query("SET insert_deduplication_token = 'T2'");
  t.is((await read()).text, before);
  const limited = await query('SELECT number FROM numbers(100)', { max_result_rows: '10' });
  t.is(limited.headers.get('x-clickhouse-exception-code'), '396');
  t.is((await query('SELECT 1', { max_no_such_thing: '1' })).headers.get('x-clickhouse-exception-code'), '115');
});

test('rows inserted twice are stored twice without deduplication settings (R-b, R-d)', async (t) => {
  await query(
    'CREATE TABLE twice (n UInt64) ENGINE = MergeTree ORDER BY n SETTINGS non_replicated_deduplication_window = 100',
  );
  await query('INSERT INTO twice FORMAT TSV\n1\n', { insert_deduplication_token: 'T1' });
  await query('INSERT INTO twice FORMAT TSV\n1\n');
  t.is((await query('SELECT count() FROM twice')).text, '2\n');
});

test('format is set by clause, parameter or header, with summary and query id', async (t) => {
  const byClause = await query('SELECT 1 AS a FORMAT JSONEachRow', { query_id: 'mine-1' });
  t.is(byClause.text, '{"a":1}\n');
  t.is(byClause.headers.get('x-clickhouse-format'), 'JSONEachRow');
  t.is(byClause.headers.get('x-clickhouse-query-id'), 'mine-1');
  t.is((await query('SELECT 1', { default_format: 'CSVWithNames' })).text, '"1"\n1\n');
  t.is((await query('SELECT 1 AS a', {}, { 'X-ClickHouse-Format': 'JSONCompactEachRow' })).text, '[1]\n');
  await query('CREATE TABLE summary (n UInt64) ENGINE = MergeTree ORDER BY n');
  const insert = await query('INSERT INTO summary FORMAT TSV\n1\n2\n3\n');
  t.is(JSON.parse(insert.headers.get('x-clickhouse-summary') ?? '{}').written_rows, '3');
});

test('errors have code, status and the engine’s message', async (t) => {
  const unknown = await query('SELECT * FROM nowhere');
  t.is(unknown.status, 404);
  t.is(unknown.headers.get('x-clickhouse-exception-code'), '60');
  t.regex(unknown.text, /^Code: 60\. DB::Exception: .*\(UNKNOWN_TABLE\).* \(version \d+\.\d+/s);
  const slow = await query('SELECT sum(sleepEachRow(0.1)) FROM numbers(100)', {
    max_execution_time: '1',
    max_block_size: '1',
  });
  t.is(slow.headers.get('x-clickhouse-exception-code'), '159');
});

test('@clickhouse/client works unchanged', async (t) => {
  const client = createClient({ database: 'tests', url: engine.url, compression: { request: true, response: true } });
  await client.command({
    query: 'CREATE TABLE clients (id UInt64, name String, big UInt256) ENGINE = MergeTree ORDER BY id',
  });
  await client.insert({
    table: 'clients',
    values: [{ id: '18446744073709551615', name: "é\t\n'", big: (1n << 255n).toString() }],
    format: 'JSONEachRow',
  });
  const result = await client.query({
    query: 'SELECT * FROM clients WHERE name = {name:String}',
    format: 'JSONEachRow',
    query_params: { name: "é\t\n'" },
    clickhouse_settings: { output_format_json_quote_64bit_integers: 1 },
  });
  t.deepEqual(await result.json(), [{ id: '18446744073709551615', name: "é\t\n'", big: (1n << 255n).toString() }]);
  t.true((await client.ping()).success);
  await client.close();
});

test('5,000 good and failing parallel queries each get exactly their own answer (R-a)', async (t) => {
  await query('CREATE TABLE noise (n UInt64, s String) ENGINE = MergeTree ORDER BY n');
  await query("INSERT INTO noise SELECT number, repeat('foreign', 10) FROM numbers(20000)");
  const foreign: string[] = [];
  await pool(5_000, 24, async (i) => {
    if (i % 5 === 0) {
      const failing = await query(
        'SELECT n, s, throwIf(n = 15000) FROM noise SETTINGS max_block_size = 1000, max_threads = 1',
        i % 2 ? { max_threads: '1' } : {},
      );
      if (!failing.text.startsWith('Code: 395.')) foreign.push(failing.text.slice(0, 100));
    } else {
      const good = await query('SELECT {i:UInt64} AS answer', {
        param_i: String(i),
        ...(i % 3 ? {} : { max_threads: '1' }),
      });
      if (good.text !== `${i}\n` || good.status !== 200) foreign.push(good.text.slice(0, 100));
    }
  });
  t.deepEqual(foreign, []);
});

test('short query does not wait for long ones (R-i)', async (t) => {
  const long = Array.from({ length: 6 }, () =>
    query('SELECT sum(sleepEachRow(0.2)) FROM numbers(10) SETTINGS max_block_size = 1'),
  );
  await new Promise((resolve) => setTimeout(resolve, 100));
  t.is((await Promise.race([...long, query('SELECT 1')])).text, '1\n');
  await Promise.all(long);
});

test.serial('query with the highest priority overtakes waiting ones', async (t) => {
  const order: string[] = [];
  const ask = async (sql: string, parameters = {}) => order.push((await query(sql, parameters)).text.trim());
  const many = Array.from({ length: 80 }, () => ask('SELECT sleep(0.2)'));
  await new Promise((resolve) => setTimeout(resolve, 50));
  await Promise.all([...many, ask('SELECT 1', { priority: '1' })]);
  t.true(order.indexOf('1') <= 40, `it came as number ${order.indexOf('1')} of 81`);
});

test.serial('engine restarts after kill -9 with all acknowledged rows', async (t) => {
  await query('CREATE TABLE survivor (n UInt64) ENGINE = MergeTree ORDER BY n');
  await query('INSERT INTO survivor FORMAT TSV\n1\n2\n');
  engine.kill();
  await waitFor(
    async () => (await query('SELECT count() FROM survivor').catch(() => undefined))?.text === '2\n',
    20_000,
    'it answers again',
  );
  t.is((await query('SELECT sum(n) FROM survivor')).text, '3\n');
});

test('wait_end_of_query=0 streams rows, cuts the reply on an error, and cancels an abandoned query', async (t) => {
  const stream = (sql: string, init: RequestInit = {}) =>
    fetch(`${engine.origin}/?wait_end_of_query=0`, {
      method: 'POST',
      headers: engine.headers,
      body: `${sql} FORMAT TSV`,
      ...init,
    });
  const whole = await (await stream('SELECT number FROM numbers(300000) ORDER BY number')).text();
  t.is(whole, Array.from({ length: 300_000 }, (_, i) => `${i}\n`).join(''));
  t.is((await stream('SELECT number FROM nothing')).status, 404, 'a fault before the first row is a plain error');
  await t.throwsAsync(async () => (await stream('SELECT throwIf(number = 5000000) FROM numbers(9000000)')).text());

  const gone = new AbortController();
  const endless = await stream(`SELECT number AS "nobody reads this" FROM system.numbers`, { signal: gone.signal });
  await endless.body!.getReader().read();
  const running = async () =>
    (
      await query(
        "SELECT count() FROM system.processes WHERE query LIKE '%nobody reads%' AND query NOT LIKE '%processes%'",
      )
    ).text;
  t.is(await running(), '1\n', 'it runs while its client is there');
  gone.abort();
  await waitFor(async () => (await running()) === '0\n', 30_000, 'the query of the client that left is ended');

  const early = new AbortController();
  const rowless = stream('SELECT max(number) AS "nobody reads this" FROM system.numbers', { signal: early.signal });
  await waitFor(async () => (await running()) === '1\n', 10_000, 'it runs without a row');
  early.abort();
  await t.throwsAsync(rowless, { any: true });
  await waitFor(async () => (await running()) === '0\n', 30_000, 'a query is ended before its first row, too');
});
