import { rm } from 'node:fs/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import test from 'ava';
import { getQuery, postQuery } from '#test/helpers/ask-engine.ts';
import { type RunningEngine, scratchFolder, startEngine } from '#test/helpers/processes.ts';

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

test('RowBinary keeps every byte value in both directions', async (t) => {
  await query('CREATE TABLE bytes (id UInt32, data FixedString(256)) ENGINE = MergeTree ORDER BY id');
  const row = Buffer.concat([Buffer.from([1, 0, 0, 0]), Buffer.from(Array.from({ length: 256 }, (_, i) => i))]);
  const rows = Buffer.concat([row, row.map((byte, i) => (i === 0 ? 2 : byte))]);
  t.is((await query(rows, { query: 'INSERT INTO bytes FORMAT RowBinary' })).status, 200);
  t.is(
    (await query(Buffer.concat([Buffer.from('INSERT INTO bytes FORMAT RowBinary\n'), rows]))).status,
    200,
    'statement and rows in one body',
  );
  const reply = await get('SELECT+data+FROM+bytes+WHERE+id+=+2+FORMAT+RowBinary');
  const data = Buffer.from(await reply.arrayBuffer());
  t.is(data.length, 512);
  t.deepEqual(data.subarray(0, 256), row.subarray(4));
});

test('request and reply may use gzip', async (t) => {
  await query('CREATE TABLE zipped (s String) ENGINE = MergeTree ORDER BY s');
  const body = gzipSync(Buffer.from('"a;b"\n"c\nd"\n'));
  t.is((await query(body, { query: 'INSERT INTO zipped FORMAT CSV' }, { 'Content-Encoding': 'gzip' })).status, 200);
  const { request } = await import('undici');
  const reply = await request(`${engine.origin}/?enable_http_compression=1`, {
    method: 'POST',
    body: 'SELECT s FROM zipped ORDER BY s',
    headers: { ...engine.headers, 'accept-encoding': 'gzip' },
  });
  t.is(reply.headers['content-encoding'], 'gzip');
  t.is(gunzipSync(Buffer.from(await reply.body.arrayBuffer())).toString(), 'a;b\nc\\nd\n');
});

test('interrupted upload stores nothing', async (t) => {
  await query('CREATE TABLE broken_off (n UInt64) ENGINE = MergeTree ORDER BY n');
  const controller = new AbortController();
  const body = new ReadableStream({
    start(stream) {
      stream.enqueue(Buffer.from('1\n2\n'));
      setTimeout(() => controller.abort(), 50);
    },
  });
  await t.throwsAsync(
    fetch(`${engine.origin}/?query=INSERT+INTO+broken_off+FORMAT+TSV`, {
      method: 'POST',
      headers: engine.headers,
      body,
      signal: controller.signal,
      duplex: 'half',
    } as RequestInit),
    { any: true },
  );
  await new Promise((resolve) => setTimeout(resolve, 200));
  t.is((await query('SELECT count() FROM broken_off')).text, '0\n');
});

test('insert in the body is UTF-8 text up to its rows, whatever its names are', async (t) => {
  await query('CREATE TABLE settings (settings String, `größe` String) ENGINE = MergeTree ORDER BY settings');
  const inserts: [string | Buffer, Record<string, string>][] = [
    ["INSERT INTO settings VALUES ('é', '€😀')", {}],
    ["INSERT INTO settings (settings, `größe`) SELECT 'ä', '“'", {}],
    ['INSERT INTO settings (settings) FORMAT TSV\nö', {}],
    ['INSERT INTO settings (`größe`, settings) SETTINGS max_threads = 1 FORMAT TSV\n“\tü', {}],
    [Buffer.concat([Buffer.from('INSERT INTO settings (`größe`) FORMAT RowBinary\n\x01'), Buffer.from([0xff])]), {}],
    ['\nINSERT INTO settings SELECT a, b FROM input(\'a String, b String\') FORMAT CSV\n"ñ",é', {}],
    ['ß\tç', { query: 'INSERT INTO settings FORMAT TSV' }],
    ['/* of a client */ -- and a line\nINSERT INTO settings FORMAT TSV\nà\tx', {}],
  ];
  for (const [sql, parameters] of inserts) {
    const { status, text } = await query(sql, parameters);
    t.is(status, 200, `${sql}: ${text}`);
  }
  const { text } = await query('SELECT settings, hex(`größe`) FROM settings ORDER BY settings, `größe`');
  const hex = (word: string) => Buffer.from(word).toString('hex').toUpperCase();
  const rows = [
    ['', 'FF'],
    ...[
      ['ß', 'ç'],
      ['à', 'x'],
      ['ä', '“'],
      ['é', '€😀'],
      ['ñ', 'é'],
      ['ö', ''],
      ['ü', '“'],
    ].map(([name, size]) => [name, hex(size!)]),
  ];
  t.is(text, rows.map((row) => `${row.join('\t')}\n`).join(''));
});
