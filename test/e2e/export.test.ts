import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { parse } from 'csv-parse/sync';
import { parseUnits } from 'ethers';
import fc from 'fast-check';
import { request } from 'undici';
import type { ExportKind } from '#api/read/export/kinds.ts';
import { RowDigest } from '#client/row-digest.ts';
import { loadStatements } from '#sql/compile/statements.ts';
import type { ModelBlock } from '#test/helpers/chain-model.ts';
import { type IndexedChain, startIndexedChain } from '#test/helpers/indexed-chain.ts';
import { runCordscan, scratchFolder } from '#test/helpers/processes.ts';
import { replaceStreams } from '#test/helpers/replace-streams.ts';

type Row = Record<string, string | number | null>;
let dir: string;
let indexed: IndexedChain;
let settled: ModelBlock[];
let expected: Record<ExportKind, Row[]>;

test.before(async () => {
  dir = await scratchFolder('cordscan-export');
  indexed = await startIndexedChain({ blobs: true, blocks: 400, seed: 5 });
  const finalized = (await indexed.pipeline.state())!.finalized;
  settled = indexed.blocks.filter((block) => block.number <= finalized);
  expected = expectedRows(finalized);
});

test.after.always(async () => {
  await indexed?.stop();
  await rm(dir, { recursive: true, force: true });
});

function expectedRows(finalized: number): Record<ExportKind, Row[]> {
  const time = (block: number) => settled[block]!.time;
  const places = new Map(settled.flatMap(({ txs }) => txs.map((tx) => [tx.hash, tx.index])));
  return {
    transactions: settled.flatMap(({ hash, time, txs }) =>
      txs.map((tx) => ({
        ...{ blockNumber: tx.block, txIndex: tx.index, txHash: tx.hash, blockHash: hash, timestamp: time },
        ...{ type: tx.type, from: tx.from, to: tx.to, contractCreated: tx.created, value: String(tx.value) },
        ...{ gasUsed: Number(tx.gasUsed), gasPrice: String(tx.gasPrice), fee: String(tx.fee), status: tx.status },
        methodId: tx.input.slice(0, 10),
      })),
    ),
    logs: settled.flatMap(({ logs }) =>
      logs.map(({ block, logIndex, txHash, address, topics, data }) => ({
        ...{ blockNumber: block, logIndex, txIndex: places.get(txHash)!, txHash, timestamp: time(block), address },
        ...{ topic0: topics[0] ?? null, topic1: topics[1] ?? null, topic2: topics[2] ?? null },
        ...{ topic3: topics[3] ?? null, data },
      })),
    ),
    transfers: indexed.transfers
      .filter(({ block }) => block <= finalized)
      .map(({ block, logIndex, batchIndex, txHash, token, standard, from, to, tokenId, value }) => ({
        ...{ blockNumber: block, logIndex, batchIndex, txIndex: places.get(txHash)!, txHash, timestamp: time(block) },
        ...{ token, standard, from, to, tokenId: String(tokenId), value: String(value) },
      })),
    anchors: settled.map((block) => ({
      ...{ blockNumber: block.number, blockHash: block.hash, timestamp: block.time, miner: block.miner },
      ...{ gasLimit: Number(block.gasLimit), gasUsed: Number(block.gasUsed), baseFeePerGas: String(block.baseFee) },
      ...{ size: block.size, transactionCount: block.txs.length, logCount: block.logs.length },
    })),
  };
}

async function fetchExport(path: string) {
  const reply = await request(`${indexed.api.origin}/api/v1/export/${path}`);
  const bytes = Buffer.from(await reply.body.arrayBuffer());
  return { status: reply.statusCode, headers: reply.headers, trailers: reply.trailers, bytes };
}

async function fetchRows(path: string) {
  const { status, bytes, trailers, headers } = await fetchExport(path);
  if (status !== 200) throw new Error(`${path}: ${status} ${bytes.toString()}`);
  const records = bytes.toString().trimEnd().split('\n');
  const rows = records.map((line) => JSON.parse(line) as Row & { certificate?: Record<string, unknown> });
  return { certificate: rows.pop()!.certificate!, rows: rows as Row[], trailers, headers };
}

const pickExpectedFields = (rows: readonly Row[], kind: ExportKind) =>
  rows.map((row) => Object.fromEntries(Object.keys(expected[kind][0]!).map((name) => [name, row[name]])));

const computeDigest = async (kind: ExportKind, rows: readonly Row[]) => {
  const digest = new RowDigest(kind);
  await digest.add(rows);
  return digest.toString();
};

function selections(): { kind: ExportKind; query: string; rows: Row[] }[] {
  const { transactions, transfers, logs, anchors } = expected;
  const last = transfers.at(-1)!;
  const [account, token] = [last.to as string, last.token as string];
  const emitters = new Map<unknown, Set<unknown>>();
  for (const log of logs) emitters.set(log.txHash, (emitters.get(log.txHash) ?? new Set()).add(log.address));
  const ofAccount = (row: Row) => row.from === account || row.to === account;
  const tookPart = (row: Row) =>
    [row.from, row.to, row.contractCreated].includes(token) || emitters.get(row.txHash)?.has(token);
  const within = (row: Row) => Number(row.blockNumber) >= 40 && Number(row.blockNumber) <= 77;
  const [from, to] = [settled[50]!.time, settled[60]!.time];
  const inTime = (row: Row) => Number(row.timestamp) >= from && Number(row.timestamp) <= to;
  return [
    { kind: 'transactions', query: '', rows: transactions },
    { kind: 'transfers', query: '', rows: transfers },
    { kind: 'logs', query: '', rows: logs },
    { kind: 'anchors', query: '', rows: anchors },
    { kind: 'transactions', query: `address=${token}`, rows: transactions.filter(tookPart) },
    { kind: 'transfers', query: `address=${account}`, rows: transfers.filter(ofAccount) },
    { kind: 'transfers', query: `token=${token}`, rows: transfers.filter((row) => row.token === token) },
    {
      kind: 'transfers',
      query: `token=${token}&address=${account}`,
      rows: transfers.filter((row) => row.token === token && ofAccount(row)),
    },
    { kind: 'logs', query: `address=${token}`, rows: logs.filter((row) => row.address === token) },
    { kind: 'transactions', query: 'fromBlock=40&toBlock=77', rows: transactions.filter(within) },
    { kind: 'anchors', query: `fromTime=${from}&toTime=${to}`, rows: anchors.filter(inTime) },
    { kind: 'transfers', query: `fromTime=${from}&toTime=${to}`, rows: transfers.filter(inTime) },
  ];
}

test.serial('every selection exports exactly its rows, in chain order, with a proof', async (t) => {
  for (const { kind, query, rows: wanted } of selections()) {
    t.true(wanted.length > 0, `${kind} ${query}`);
    const { rows, certificate, trailers, headers } = await fetchRows(`${kind}?${query}`);
    t.deepEqual(pickExpectedFields(rows, kind), wanted, `${kind} ${query}`);
    const digest = await computeDigest(kind, rows);
    t.like(certificate, { kind, rows: wanted.length, digest, gaps: [], complete: true }, `${kind} ${query}`);
    t.is(trailers['x-export-rows'], String(wanted.length));
    t.is(trailers['x-export-digest'], digest);
    t.is(headers['x-export-window'], `${certificate.fromBlock}-${certificate.toBlock}`);
    t.deepEqual((await indexed.api.get(`/api/v1/export/${kind}/certificate?${query}`)).body, certificate);
  }
});

test.serial('CSV, Parquet and Arrow exports have the same rows, and no CSV cell is a formula', async (t) => {
  for (const kind of Object.keys(expected) as ExportKind[]) {
    const { rows, certificate } = await fetchRows(kind);
    const csv = await fetchExport(`${kind}?format=csv`);
    const cells = parse(csv.bytes, { columns: true }) as Record<string, string>[];
    t.deepEqual(
      cells,
      rows.map((row) => Object.fromEntries(Object.entries(row).map(([k, v]) => [k, String(v ?? '')]))),
    );
    t.false(cells.some((row) => Object.values(row).some((cell) => /^[=+\-@\t\r]/.test(cell))));
    t.regex(String(csv.headers['content-disposition']), new RegExp(`filename="${kind}-0-\\d+.csv"`));
    for (const format of ['parquet', 'arrow']) {
      const { bytes, trailers } = await fetchExport(`${kind}?format=${format}`);
      t.deepEqual(await readBack(bytes, format, rows[0]!), rows, `${kind} ${format}`);
      t.is(trailers['x-export-digest'], String(certificate.digest));
    }
  }
});

async function readBack(bytes: Buffer, format: string, like: Row): Promise<Row[]> {
  const { origin, headers } = indexed.engine;
  const post = async (sql: string, data: Uint8Array = new Uint8Array()) => {
    const body = Buffer.concat([Buffer.from(sql), data]);
    const reply = await request(origin, { method: 'POST', body, headers });
    const text = await reply.body.text();
    if (reply.statusCode !== 200) throw new Error(text.slice(0, 500));
    return text;
  };
  const columns = Object.entries(like).map(
    ([name, value]) => `"${name}" Nullable(${typeof value === 'number' ? 'UInt64' : 'String'})`,
  );
  await post(`CREATE OR REPLACE TABLE read_back (${columns}) ENGINE = Memory`);
  await post(`INSERT INTO read_back FORMAT ${format === 'parquet' ? 'Parquet' : 'ArrowStream'}\n`, bytes);
  const text = await post(
    'SELECT * FROM read_back SETTINGS output_format_json_quote_64bit_integers = 0 FORMAT JSONEachRow',
  );
  const lines = text.trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Row);
}

test.serial('export resumes after any row, also within a batch', async (t) => {
  const place = (kind: ExportKind, row: Row) =>
    kind === 'anchors'
      ? `${row.blockNumber}:0`
      : kind === 'transfers'
        ? `${row.blockNumber}:${row.logIndex}:${row.batchIndex}`
        : `${row.blockNumber}:${row.txIndex !== undefined && kind === 'transactions' ? row.txIndex : row.logIndex}`;
  const batch = expected.transfers.findIndex((row) => row.batchIndex === 1);
  t.true(batch > 0, 'a batch of two is among them');
  for (const kind of Object.keys(expected) as ExportKind[]) {
    const whole = await fetchRows(kind);
    const cut = fc.integer({ min: 0, max: whole.rows.length - 1 });
    const cuts = [...fc.sample(cut, 8), ...(kind === 'transfers' ? [batch - 1, batch] : [])];
    for (const at of cuts) {
      const rest = await fetchRows(`${kind}?after=${place(kind, whole.rows[at]!)}`);
      t.deepEqual(rest.rows, whole.rows.slice(at + 1), `${kind} behind ${at}`);
      t.is(rest.certificate.rows, whole.rows.length - at - 1);
      t.is(rest.certificate.digest, await computeDigest(kind, rest.rows));
    }
  }
});

test.serial('history is cut by time like an export', async (t) => {
  const account = expected.transfers.at(-1)!.token;
  const [fromTime, toTime] = [settled[40]!.time, settled[90]!.time];
  const window = `fromTime=${fromTime}&toTime=${toTime}`;
  const { rows } = await fetchRows(`transactions?address=${account}&${window}`);
  const { body } = await indexed.api.get(`/api/v1/accounts/${account}/transactions?limit=200&order=asc&${window}`);
  t.true(rows.length > 0 && rows.length <= 200);
  t.deepEqual(
    body.transactions.map((row: Row) => row.txHash),
    rows.map((row) => row.txHash),
  );
});

test.serial('export supports gzip, empty windows and HEAD, and rejects a wrong selection', async (t) => {
  const plain = await indexed.api.get('/api/v1/export/anchors?format=csv&toBlock=300');
  t.is(plain.headers.get('content-encoding'), 'gzip', 'fetch asks for gzip');
  t.is(plain.body.trimEnd().split('\n').length, 302);
  const none = await fetchRows('transfers?fromBlock=4000000');
  t.like(none.certificate, { rows: 0, digest: '0'.repeat(16) });
  for (const query of [
    `anchors?address=0x${'1'.repeat(40)}`,
    `logs?token=0x${'1'.repeat(40)}`,
    'logs?after=5',
    'blocks',
    'logs?fromBlock=9&toBlock=3',
  ])
    t.is((await fetchExport(query)).status, 400, query);
  const head = await request(`${indexed.api.origin}/api/v1/export/logs`, { method: 'HEAD' });
  t.is(head.statusCode, 200);
});

test.serial('export is cut off visibly when the database fails after the first rows', async (t) => {
  const { deps, origin } = indexed.api;
  const sql = 'SELECT number, throwIf(number = 3000000) FROM numbers(4000000)';
  const faulty = { ...loadStatements().get('export_anchors')!, sql };
  const restore = replaceStreams(deps.database, faulty);
  for (const format of ['ndjson', 'csv']) {
    const reply = await request(`${origin}/api/v1/export/anchors?format=${format}`);
    t.is(reply.statusCode, 200);
    let received = 0;
    await t.throwsAsync(async () => {
      for await (const chunk of reply.body) received += (chunk as Buffer).length;
    });
    t.true(received > 1_000_000, 'rows came before the fault');
    t.deepEqual(reply.trailers, {});
  }
  restore();
});

test.serial('export command writes proven files and resumes where it stopped', async (t) => {
  const out = join(dir, 'files');
  const run = (...more: string[]) =>
    runCordscan(
      ['export', 'transfers', '--out', out, '--url', indexed.api.origin, '--part-blocks', '100', ...more],
      {},
    );
  const first = await run('--to-block', '150');
  t.is(first.code, 0, first.output);
  const second = await run();
  t.is(second.code, 0, second.output);
  const manifest = JSON.parse(await readFile(join(out, 'manifest.json'), 'utf8'));
  const { certificate } = await fetchRows('transfers');
  t.is(manifest.rows, certificate.rows);
  t.is(manifest.digest, certificate.digest, 'digests of the files add up');
  t.deepEqual(
    manifest.parts.slice(0, 3).map((part: { fromBlock: number }) => part.fromBlock),
    [0, 100, 151],
  );
  const files = (await readdir(out)).filter((name) => name !== 'manifest.json');
  t.deepEqual(files.sort(), manifest.parts.map((part: { file: string }) => part.file).sort());
  const other = await run('--format', 'csv');
  t.not(other.code, 0);
  t.regex(other.output, /holds an export with other options/);
});

test('an export for spreadsheets has words, units and dates, and computes no formula of a stranger', async (t) => {
  const sent = expected.transactions.find(({ methodId, status }) => methodId === '0xa9059cbb' && status === 1)!;
  const address = String(sent.from);
  const read = async (kind: string) => {
    const reply = await fetch(`${indexed.api.origin}/api/v1/export/${kind}?format=csv-excel&address=${address}`);
    t.is(reply.status, 200);
    t.regex(String(reply.headers.get('content-disposition')), new RegExp(`${kind}-${address}-\\d+-\\d+.csv`));
    return parse(await reply.text(), { columns: true, bom: true }) as Record<string, string>[];
  };
  const transactions = await read('transactions');
  const own = expected.transactions.filter(({ from, to }) => from === address || to === address);
  t.true(transactions.length >= own.length && own.length > 0);
  for (const { txHash, value, timestamp, status, from, methodId } of own) {
    const row = transactions.find((each) => each.Transaction === txHash)!;
    t.is(row['Time (UTC)'], new Date(Number(timestamp) * 1000).toISOString().slice(0, 19).replace('T', ' '));
    t.is(parseUnits(row['Value (FAT)']!, 18), BigInt(String(value)));
    t.is(row.Result, status === 1 ? 'succeeded' : 'failed');
    t.is(row.Role!.includes('sender'), from === address);
    if (methodId === '0xa9059cbb') t.is(row.Method, 'transfer');
  }
  t.true(own.some(({ methodId }) => methodId === '0xa9059cbb'));
  const transfers = await read('transfers');
  t.is(transfers.length, expected.transfers.filter(({ from, to }) => from === address || to === address).length);
  t.true(transfers.every((row) => /^\d+(\.\d+)?$/.test(row.Amount!)));
  t.true(transfers.every(({ Symbol: symbol }) => !/^[=+@-]/.test(symbol!)));
  t.is((await indexed.api.get('/api/v1/export/logs?format=csv-excel')).status, 400);
});
