import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { compactVerify, createLocalJWKSet } from 'jose';
import { type IndexedChain, startIndexedChain } from '#test/helpers/indexed-chain.ts';
import { runCordscan, scratchFolder } from '#test/helpers/processes.ts';

let indexed: IndexedChain;
let dir: string;
let keys: string;

test.before(async () => {
  dir = await scratchFolder('cordscan-check');
  indexed = await startIndexedChain({ blocks: 80, seed: 12 });
  keys = join(dir, 'jwks.json');
  await writeFile(keys, JSON.stringify((await indexed.api.get('/.well-known/jwks.json')).body));
});

test.after.always(async () => {
  await indexed?.stop();
  await rm(dir, { recursive: true, force: true });
});

const check = (...args: string[]) => runCordscan(['check', ...args], {});

test.serial('certificates and checkpoints are signed with the published key', async (t) => {
  const { body: jwks } = await indexed.api.get('/.well-known/jwks.json');
  const { body } = await indexed.api.get('/api/v1/export/transfers/certificate?toBlock=20');
  const { payload } = await compactVerify(body.signature, createLocalJWKSet(jwks));
  const { kind, fromBlock, toBlock, rows, digest, gaps } = body;
  t.deepEqual(JSON.parse(new TextDecoder().decode(payload)), {
    ...{ type: 'export', chainId: 271_828, kind, address: null, token: null, after: null },
    ...{ fromBlock, toBlock, rows, digest, gaps },
  });
});

test.serial('files of an export whose rows have changed are downloaded again', async (t) => {
  const out = join(dir, 'changed');
  const run = () =>
    runCordscan(['export', 'logs', '--out', out, '--part-blocks', '20', '--url', indexed.api.origin], {});
  t.is((await run()).code, 0);
  const path = join(out, 'manifest.json');
  const manifest = await readFile(path, 'utf8');
  const old = JSON.parse(manifest);
  [old.parts[0].gaps, old.parts[1].digest] = [[{ from: 3, to: 4 }], '0123456789abcdef'];
  await writeFile(path, JSON.stringify(old));
  const again = await run();
  t.is(again.code, 0, again.output);
  t.is(again.output.match(/have changed since/g)?.length, 2);
  t.deepEqual(JSON.parse(await readFile(path, 'utf8')), JSON.parse(manifest));
  const ahead = JSON.parse(manifest);
  await writeFile(path, JSON.stringify({ ...ahead, toBlock: 9_999 }));
  const rewound = await run();
  t.is(rewound.code, 1);
  t.regex(rewound.output, /has blocks up to 9999, but the service only up to \d+/);
});

for (const format of ['ndjson', 'csv', 'parquet'])
  test.serial(`exported ${format} files are checked without the service, and changes are found`, async (t) => {
    const out = join(dir, format);
    const made = await runCordscan(
      [
        ...['export', 'transactions', '--out', out, '--format', format, '--part-blocks', '20'],
        ...['--url', indexed.api.origin],
      ],
      {},
    );
    t.is(made.code, 0, made.output);
    const good = await check(out, '--keys', keys);
    t.is(good.code, 0, good.output);
    t.true(good.output.split('\n').filter((line) => line.endsWith('correct')).length >= 2);
    const manifest = await readFile(join(out, 'manifest.json'), 'utf8');
    const other = JSON.parse(manifest);
    other.parts[0].rows += 1;
    await writeFile(join(out, 'manifest.json'), JSON.stringify(other));
    const falsified = await check(out, '--keys', keys);
    t.is(falsified.code, 1);
    t.regex(falsified.output, /the signed rows is/);
    await writeFile(join(out, 'manifest.json'), manifest);
    if (format === 'parquet') return;
    const [file] = (await readdir(out)).filter((name) => name.startsWith('transactions-0'));
    const text = await readFile(join(out, file!), 'utf8');
    const lines = text.split('\n');
    await writeFile(join(out, file!), [...lines.slice(0, 3), ...lines.slice(4)].join('\n'));
    const shortened = await check(out, '--keys', keys);
    t.is(shortened.code, 1);
    t.regex(shortened.output, /the certificate says/);
    await rm(join(out, file!));
    const without = await check(out, '--keys', keys);
    t.is(without.code, 1);
    t.regex(without.output, /transactions-0\S*: .*: it cannot be read \(ENOENT/);
    t.regex(without.output, /correct\n/, 'the other files are checked');
  });

test.serial('a file of the API is checked by its last line, or by a certificate of its own', async (t) => {
  const ndjson = join(dir, 'logs.ndjson');
  const { body } = await indexed.api.get('/api/v1/export/logs?toBlock=30');
  await writeFile(ndjson, body);
  t.is((await check(ndjson, '--keys', keys)).code, 0);
  await writeFile(ndjson, body.replace('"logIndex":0', '"logIndex":7'));
  t.is((await check(ndjson, '--keys', keys)).code, 1);
  const csv = join(dir, 'logs.csv');
  const certificate = join(dir, 'certificate.json');
  await writeFile(csv, (await indexed.api.get('/api/v1/export/logs?toBlock=30&format=csv')).body);
  await writeFile(
    certificate,
    JSON.stringify((await indexed.api.get('/api/v1/export/logs/certificate?toBlock=30')).body),
  );
  t.is((await check(csv, '--certificate', certificate, '--keys', keys)).code, 0);
  const { code, output } = await check(csv, '--keys', keys);
  t.not(code, 0);
  t.regex(output, /--certificate/);
  const { from } = indexed.blocks[5]!.txs[0]!;
  await writeFile(ndjson, (await indexed.api.get(`/api/v1/export/transactions?toBlock=30&address=${from}`)).body);
  for (const given of [[], ['--keys', keys]]) {
    const limited = await check(ndjson, ...given);
    t.is(limited.code, 1);
    t.regex(limited.output, new RegExp(`the signed export is limited to address ${from}`));
    const stated = await check(ndjson, '--address', from, ...given);
    t.is(stated.code, 0, stated.output);
    t.regex(stated.output, new RegExp(`with ${from}`));
  }
  const strangers = join(dir, 'strangers.json');
  const {
    keys: [key],
  } = JSON.parse(await readFile(keys, 'utf8'));
  await writeFile(strangers, JSON.stringify({ keys: [{ ...key, x: Buffer.alloc(32, 3).toString('base64url') }] }));
  const foreign = await check(csv, '--certificate', certificate, '--keys', strangers);
  t.is(foreign.code, 1);
  t.regex(foreign.output, /signature is not valid/);
});
