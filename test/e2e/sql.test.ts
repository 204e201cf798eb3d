import test from 'ava';
import { readChainModel } from '#test/helpers/chain-model.ts';
import { mintKey, signIn } from '#test/helpers/identity.ts';
import { type IndexedChain, startIndexedChain } from '#test/helpers/indexed-chain.ts';
import { waitFor } from '#test/helpers/processes.ts';
import { type ApiOptions, headReader, startApi } from '#test/helpers/service.ts';

let indexed: IndexedChain;

test.before(async () => {
  indexed = await startIndexedChain({ blocks: 120, seed: 21 });
});

test.after.always(() => indexed?.stop());

// biome-ignore lint/suspicious/noExplicitAny: replies are checked field by field
type Reply = any;

const post = (body: unknown, headers: Record<string, string> = {}, api = indexed.api) =>
  api.get('/api/v1/sql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

async function ask(sql: string, more: Record<string, unknown> = {}): Promise<Reply> {
  const { status, body } = await post({ sql, ...more });
  if (status !== 200) throw new Error(`${sql}: ${JSON.stringify(body)}`);
  return body;
}

const readRows = async (sql: string, more: Record<string, unknown> = { at: 'head' }) => (await ask(sql, more)).rows;

async function withApi<T>(options: ApiOptions, work: (api: IndexedChain['api']) => Promise<T>): Promise<T> {
  const api = await startApi(indexed.pipeline.deps.database, [indexed.chain.rpc.url], false, options);
  return work(api).finally(() => api.stop());
}

test.serial('views equal the chain, row for row', async (t) => {
  const { blocks, transfers } = indexed;
  const txs = blocks.flatMap(({ txs: own }) => own);
  t.deepEqual(
    await readRows(
      'SELECT block_number, hash, miner, gas_used, toUnixTimestamp(timestamp) FROM blocks ORDER BY block_number',
    ),
    blocks.map(({ number, hash, miner, gasUsed, time }) => [String(number), hash, miner, String(gasUsed), time]),
  );
  t.deepEqual(
    await readRows(
      'SELECT hash, from, to, contract_address, value, fee, status, input, method_id FROM transactions ORDER BY block_number, tx_index',
    ),
    txs.map((tx) => [
      ...[tx.hash, tx.from, tx.to, tx.created, String(tx.value), String(tx.fee), tx.status, tx.input],
      tx.input.length < 10 ? '' : tx.input.slice(0, 10),
    ]),
  );
  t.deepEqual(
    await readRows('SELECT address, topic_count, topic0, tx_hash, data FROM logs ORDER BY block_number, log_index'),
    blocks.flatMap(({ logs }) =>
      logs.map((log) => [
        ...[log.address, log.topics.length, log.topics[0] ?? `0x${'0'.repeat(64)}`, log.txHash, log.data],
      ]),
    ),
  );
  const transferRows = (await readRows(
    'SELECT token, from, to, token_id, value, standard FROM token_transfers ORDER BY block_number, log_index, batch_index',
  )) as unknown[];
  t.deepEqual(
    transferRows,
    transfers.map((one) => [one.token, one.from, one.to, String(one.tokenId), String(one.value), one.standard]),
  );
  const balances = new Map<string, bigint>();
  const zero = `0x${'0'.repeat(40)}`;
  for (const { token, from, to, tokenId, value } of transfers)
    for (const [holder, delta] of [
      [from, -value],
      [to, value],
    ] as const) {
      const key = `${token} ${tokenId} ${holder}`;
      if (holder !== zero) balances.set(key, (balances.get(key) ?? 0n) + delta);
    }
  const held = [...balances].filter(([, balance]) => balance > 0n).map(([key, balance]) => `${key} ${balance}`);
  const rows = (await readRows('SELECT token, token_id, holder, balance FROM balances')) as string[][];
  t.deepEqual(rows.map((row) => row.join(' ')).sort(), held.sort());
  const [[created, coins]] = await readRows(
    'SELECT (SELECT count() FROM contracts), (SELECT sum(value) FROM transactions WHERE status = 1)',
  );
  t.is(Number(created), txs.filter(({ created: one, status }) => one !== null && status === 1).length);
  t.is(
    BigInt(coins),
    txs.reduce((sum, { value, status }) => sum + (status === 1 ? value : 0n), 0n),
  );
});

test.serial('each view can be read, and its columns are documented', async (t) => {
  const { body } = await indexed.api.get('/api/v1/sql/views');
  t.is(body.access, 'open');
  for (const { name, columns } of body.views) {
    t.true(columns.length > 0, name);
    for (const { name: column, description } of columns) t.true(description.length > 0, `${name}.${column}`);
    const { status, body: reply } = await post({ sql: `SELECT * FROM ${name} LIMIT 3` });
    if (/^(traces|native_transfers)$/.test(name) && status === 503) t.is(reply.code, 'indexing');
    else t.is(status, 200, JSON.stringify(reply));
  }
});

test.serial('addresses and hashes are written and shown as hex text, in every structure', async (t) => {
  const { hash, from } = indexed.blocks.flatMap(({ txs }) => txs)[5]!;
  const found = await ask(
    'SELECT hash, [from] AS a, (from, 1) AS b, map(from, 2) AS c FROM transactions WHERE hash = {h:Hash}',
    {
      parameters: { h: hash },
    },
  );
  t.deepEqual(found.rows, [[hash, [from], [from, 1], { [from]: 2 }]]);
  const byLiteral = await readRows(
    `SELECT count() FROM account_transactions WHERE address = '${from}' AND tx_hash = '${hash}'`,
  );
  t.deepEqual(byLiteral, [['1']]);
  const byPrefix = await readRows(
    `SELECT block_number FROM transaction_positions WHERE hash_prefix = substring('${hash}', 1, 8)`,
  );
  t.is(byPrefix.length, 1);
  const blanks = ['\u00a0', '\u200b', '\u3000'].map((blank) => ({ sql: `SELECT * FROM${blank}prices` }));
  const rounded = { sql: 'SELECT {a:UInt256}', parameters: { a: 1e18 } };
  for (const asked of [...blanks, rounded, { sql: 'SELECT 1 AS a GROUP BY a WITH TOTALS' }])
    t.is((await post(asked)).body.code, 'bad_query', JSON.stringify(asked));
  t.deepEqual(await readRows('WITH totals AS (SELECT 1 AS a) SELECT a FROM totals'), [[1]]);
  const exact = await post({
    sql: "SELECT toDecimal256('1000000000000000001', 1), {a:UInt256}",
    parameters: { a: `${10n ** 18n + 1n}` },
  });
  t.deepEqual(exact.body.rows, [['1000000000000000001', '1000000000000000001']]);
  const commented = 'SELECT {a/**/:UInt8}, 1 -- AND address = {b:Address}';
  t.is((await post({ sql: commented, parameters: { a: 1 } })).status, 200, 'a placeholder in a comment is none');
  const spaced = await post({ sql: 'SELECT {a/**/:Address}', parameters: { a: 'nonsense' } });
  t.is(spaced.status, 400, 'a placeholder with a comment inside is checked too');
  const { status, body } = await post({ sql: 'SELECT {a:Address}', parameters: { a: 'nonsense' } });
  t.deepEqual([status, body.code], [400, 'bad_query']);
});

test.serial('a query reads one snapshot: finalized rows never change, rows of removed blocks vanish', async (t) => {
  const count = 'SELECT max(block_number), count(), (SELECT count() FROM blocks) FROM blocks';
  const { asOf, rows } = await ask(count);
  t.true(asOf.finalized);
  t.deepEqual(rows, [[String(asOf.block), String(asOf.block + 1), String(asOf.block + 1)]]);
  t.is(asOf.hash, indexed.blocks[asOf.block]!.hash);
  const all = 'SELECT hash FROM blocks ORDER BY block_number';
  const before = await ask(all, { at: 'head' });
  await indexed.chain.reorg(5);
  await indexed.chain.mineLive(2);
  const { head } = await indexed.pipeline.caughtUp(headReader(indexed.chain));
  const after = await ask(all, { at: 'head' });
  t.is(after.asOf.block, head);
  const hashes = (await readChainModel(indexed.chain.rpc, head)).map(({ hash }) => [hash]);
  t.deepEqual(after.rows, hashes);
  t.notDeepEqual(after.rows.slice(0, before.rows.length), before.rows);
});

test.serial('repeated inserts are counted once', async (t) => {
  const counts = ['blocks', 'transactions', 'logs', 'token_transfers', 'account_transactions']
    .map((view) => `(SELECT count() FROM ${view})`)
    .join(', ');
  const before = await readRows(`SELECT ${counts}`);
  for (const table of ['blocks', 'transactions', 'logs', 'token_transfers', 'address_roles'])
    await indexed.pipeline.deps.database.command(
      `INSERT INTO ${table} SELECT * FROM ${table} WHERE final = 1 AND block_number BETWEEN 20 AND 60`,
    );
  t.deepEqual(await readRows(`SELECT ${counts}`), before);
});

test.serial('results come in the formats of ClickHouse, with the block at which they end', async (t) => {
  const sql = 'SELECT block_number, hash FROM blocks ORDER BY block_number LIMIT 3';
  const { rows } = await ask(sql);
  const read = async (format: string, at = 'finalized') => {
    const reply = await fetch(`${indexed.api.origin}/api/v1/sql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ sql, format, at }),
    });
    t.is(reply.status, 200, format);
    t.regex(reply.headers.get('x-as-of-block-hash') ?? '', /^0x[0-9a-f]{64}$/);
    return Buffer.from(await reply.arrayBuffer());
  };
  for (const at of ['finalized', 'head']) {
    const lines = (await read('ndjson', at)).toString().trim().split('\n');
    t.deepEqual(
      lines.map((line) => Object.values(JSON.parse(line))),
      rows,
    );
    t.is(
      (await read('csv', at)).toString(),
      `"block_number","hash"\n${rows.map(([n, h]: string[]) => `${n},"${h}"\n`).join('')}`,
    );
    t.is((await read('tsv', at)).toString().split('\n').length, 5);
    t.is((await read('parquet', at)).toString('latin1', 0, 4), 'PAR1');
    t.true((await read('arrow', at)).length > 100);
  }
});

test.serial('mistakes are explained, and nothing but one SELECT of the views is run', async (t) => {
  for (const [sql, text] of [
    ['SELEC 1', /one SELECT/],
    ['SELECT nope FROM blocks', /nope/],
    ['SELECT 1; SELECT 2', /one statement/],
    ['SELECT 1 FORMAT TSV', /field format/],
    ['SELECT 1 SETTINGS max_threads = 9', /SETTINGS/],
    ['SELECT * FROM (SELECT 1 SETTINGS max_threads = 9)', /SETTINGS/],
    ['SELECT * FROM (SELECT 1 SETTINGS {k:Identifier} = 9)', /SETTINGS|Identifier/],
    ['SELECT count() FROM {v:Identifier}', /Identifier/],
    ['SELECT count() FROM `tr\\x61ces`', /backslashes/],
    ["SELECT 1 // '\n SETTINGS max_threads = 9 // '", /comments/],
    [`SELECT ${'{a:'.repeat(20_000)}`, /placeholders/],
    ['SELECT * FROM system.processes', /database system/],
    ['SELECT 1 IN "system".processes', /database system/],
    ['SELECT * FROM `INFORMATION_SCHEMA`.tables', /information_schema/],
    ['SELECT * FROM indexed.api_keys', /only the views/],
    ['SELECT count() FROM numbers(1000000000000)', /too many rows/],
    [`SELECT * FROM decoded_events_0x${'12'.repeat(20)}`, /no events/],
    ['DROP VIEW blocks', /one SELECT/],
  ] as const) {
    const { status, body } = await post({ sql });
    t.is(status, 400, sql);
    t.regex(body.detail, text, sql);
  }
});

test.serial('only callers with a credential use SQL, unless it is open or off', async (t) => {
  await withApi({ sql: { access: 'key', maxSeconds: 1, maxMemoryMib: 512 } }, async (api) => {
    t.is((await post({ sql: 'SELECT 1' }, {}, api)).status, 401);
    const { key } = await mintKey(api, await signIn(api));
    const { status, body } = await post({ sql: 'SELECT 1' }, { 'x-api-key': key }, api);
    t.deepEqual([status, body.rows], [200, [[1]]]);
    const slow = await post(
      { sql: 'SELECT max(SHA512(toString(number))) FROM numbers(90000000)' },
      { 'x-api-key': key },
      api,
    );
    t.is(slow.status, 400);
    t.regex(slow.body.detail, /too long/);
  });
});

test.serial('a running query shows its progress and can be cancelled, by its caller alone', async (t) => {
  const id = 'query-to-cancel';
  const running = post({ sql: 'SELECT max(SHA512(toString(number))) FROM numbers(90000000)', id });
  const path = `/api/v1/sql/queries/${id}`;
  let progress: Reply;
  for (let i = 0; i < 60 && progress?.state !== 'running'; i++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    progress = (await indexed.api.get(path)).body;
  }
  t.is(progress.state, 'running');
  const again = await post({ sql: 'SELECT 1', id });
  t.regex(again.body.detail, /is running/);
  t.is((await indexed.api.get(path, { method: 'DELETE' })).status, 200);
  const { status, body } = await running;
  t.deepEqual([status, body.detail], [400, 'the query was cancelled']);
  t.is((await indexed.api.get(path)).body.state, 'ended');
  for (let i = 0; ; i++) {
    const [row] = await indexed.pipeline.deps.database.read('sql_progress', { mark: 'SHA512' });
    if (!row) break;
    if (i > 50) return t.fail('the query still runs in the database');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
});

test.serial('a caller whose query nothing can stop is refused for a time, although it left', async (t) => {
  const sql = { access: 'open', maxSeconds: 1, maxMemoryMib: 512 } as const;
  await withApi({ sql }, async (api) => {
    const leave = new AbortController();
    // after planning, the query is one function call, during which the database checks no limit
    const endless = `SELECT hasAll(range(500000 + toUInt32(max(block_number) * 0)), range(500000)) FROM blocks`;
    const init = { headers: { 'content-type': 'application/json' }, method: 'POST', signal: leave.signal };
    const left = fetch(`${api.origin}/api/v1/sql`, { ...init, body: JSON.stringify({ sql: endless }) });
    const isRunning = async () => (await indexed.pipeline.deps.database.read('sql_progress', { mark: 'hasAll' }))[0];
    await waitFor(async () => ((await isRunning())?.overtime ?? 0) > 0, 10_000, 'its time limit has passed');
    leave.abort();
    await t.throwsAsync(left, { any: true });
    await waitFor(async () => (await post({ sql: 'SELECT 1' }, {}, api)).status === 429, 30_000, 'it is refused');
    const { status, headers, body } = await post({ sql: 'SELECT 1' }, {}, api);
    t.is(status, 429);
    t.regex(body.detail, /an SQL query of you or your network did not stop at its time limit/);
    t.true(Number(headers.get('retry-after')) > 500);
    await waitFor(async () => (await isRunning()) === undefined, 60_000, 'the query ends');
  });
});

test.serial('explain says what would be read, and the limit of rows is kept', async (t) => {
  const { estimate, rows } = await ask('SELECT hash FROM blocks WHERE block_number = 5', { explain: true });
  t.true(estimate.rows > 0 && estimate.plan.length > 3);
  t.deepEqual(rows, []);
  await withApi({ queryMaxRows: 10 }, async (api) => {
    const { status, body } = await post({ sql: 'SELECT count() FROM transactions' }, {}, api);
    t.is(status, 400);
    t.regex(body.detail, /too many rows|would read/);
  });
});
