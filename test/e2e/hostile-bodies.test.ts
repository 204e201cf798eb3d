import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import test from 'ava';
import fc from 'fast-check';
import { addressListBytes, readAddressLists } from '#api/read/deposits/address-lists.ts';
import { routes } from '#api/routes/index.ts';
import { type IndexedChain, startIndexedChain } from '#test/helpers/indexed-chain.ts';

let indexed: IndexedChain;

test.before(async () => {
  indexed = await startIndexedChain({ blocks: 5, seed: 34 });
});

test.after.always(() => indexed?.stop());

const address = (i: number) => `0x${i.toString(16).padStart(40, '0')}`;
const send = (method: string, path: string, body: string | Buffer, headers: Record<string, string> = {}) =>
  indexed.api.get(path, { method, body: typeof body === 'string' ? body : new Uint8Array(body), headers });

async function* inChunks(text: string, lengths: readonly number[]): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const end = at + lengths[i % lengths.length]!;
    yield bytes.subarray(at, end);
    at = end;
  }
}

test('address list is read equally in every notation and chunking', async (t) => {
  const some = fc
    .array(fc.bigInt({ min: 0n, max: (1n << 160n) - 1n }), { maxLength: 12 })
    .map((numbers) => numbers.map((number) => `0x${number.toString(16).padStart(40, '0')}`));
  const cuts = fc.array(fc.integer({ min: 1, max: 70 }), { minLength: 1, maxLength: 5 });
  const blank = fc.constantFrom('', ' ', '\n', '\r\n  ');
  await fc.assert(
    fc.asyncProperty(some, some, cuts, blank, fc.boolean(), async (add, remove, lengths, space, isUpper) => {
      const written = isUpper ? add.map((one) => `0x${one.slice(2).toUpperCase()}`) : add;
      const list = `[${written.map((one) => `${space}"${one}"`).join(`${space},`)}${space}]`;
      const distinct = [...new Set(add)];
      const forms = [
        [list, { add: distinct, remove: [] }],
        [`{"addresses":${space}${list}, "note": {"add": ["x", [1]]}}`, { add: distinct, remove: [] }],
        [`{"add": ${list}, "remove": ${JSON.stringify(remove)}}`, { add: distinct, remove: [...new Set(remove)] }],
        [written.map((one) => `${one}\r\n`).join(''), { add: distinct, remove: [] }],
        [written.map((one) => `"${one}"\n`).join(''), { add: distinct, remove: [] }],
        [written.map((one) => `{"address": "${one}"}\n`).join(''), { add: distinct, remove: [] }],
        [
          written.map((one, i) => [one, `"${one}"`, `{"address":"${one}"}`][i % 3]).join('\n'),
          { add: distinct, remove: [] },
        ],
      ] as const;
      for (const [text, expected] of forms)
        t.deepEqual(await readAddressLists(inChunks(text, lengths), 100), expected, text);
      if (add.length > 0)
        await t.throwsAsync(readAddressLists(inChunks(list.slice(0, -1), lengths), 100), {
          message: /incomplete JSON/,
        });
    }),
    { numRuns: 100 },
  );
});

test('address list rejects invalid JSON, other JSON values and unterminated lines', async (t) => {
  const [one, two] = [`"${address(1)}"`, `"${address(2)}"`];
  const refused = [
    [
      `[${one} ${two}]`,
      `[${one},]`,
      `[,${one}]`,
      `[${one}]]`,
      `[${one}] x`,
      `[${one}] tru`,
      `{"add" ${one}}`,
      `{"add": [${one}}`,
    ],
    [`{"add": ${one}}`, `{"remove": {"a": 1}}`, `{${one}: [}`, `[[${one}]]`, `[1]`, `{"add": [null]}`],
    ['{}', `{"adresses": [${one}]}`, '1', '"x"', `{"x": {"add": [${one}]}}`, `${'['.repeat(100_000)}`],
    [`{"other": ${'['.repeat(9)}${']'.repeat(9)}}`],
    [`${' '.repeat(1_001)}${address(1)}`, `{"address": ${one}${' '.repeat(1_001)}}`],
  ].flat();
  for (const text of refused)
    for (const lengths of [[7], [1_000_000]])
      await t.throwsAsync(readAddressLists(inChunks(text, lengths), 10), { name: 'ApiProblem' }, text.slice(0, 80));
  const ignored = `{"constructor": [${two}], "__proto__": [${two}], "remove": null, "add": [${one}], "more": {"add": [${two}]}}`;
  t.deepEqual(await readAddressLists(inChunks(ignored, [9]), 10), { add: [address(1)], remove: [] });
  async function* blank() {
    for (;;) yield Buffer.alloc(100, ' ');
  }
  await t.throwsAsync(readAddressLists(blank(), 10), { message: /longer than 1000/ });
});

test('address list over the limit is rejected as soon as it exceeds it, for additions and removals', async (t) => {
  let taken = 0;
  async function* endless() {
    for (; ; taken++) yield Buffer.from(`${taken === 0 ? '["' : '","'}${address(taken)}`);
  }
  await t.throwsAsync(readAddressLists(endless(), 1_000), { message: /at most 1000 addresses/ });
  t.true(taken < 1_010);
  const { id } = (await send('POST', '/api/v1/address-sets', JSON.stringify([address(1)]))).body;
  const many = Array.from({ length: 1_001 }, (_, i) => address(i));
  for (const list of ['add', 'remove']) {
    const { status, body } = await send('PATCH', `/api/v1/address-sets/${id}`, JSON.stringify({ [list]: many }));
    t.deepEqual([status, body.code], [400, 'bad_query'], list);
  }
});

// serial, because it measures the memory of the process
test.serial('compressed body is unpacked only up to the limit', async (t) => {
  const bomb = gzipSync(Buffer.alloc(200 << 20, '1,'), { level: 9 });
  t.true(bomb.length < 250_000);
  for (const { base, path, methods, body } of routes) {
    if (!body) continue;
    const method = methods.find((name) => name !== 'get')!.toUpperCase();
    const before = process.memoryUsage().rss;
    const { status } = await send(method, `${base}${path.replaceAll(/:\w+/g, '0'.repeat(32))}`, bomb, {
      'content-encoding': 'gzip',
      'content-type': 'application/json',
    });
    t.true([400, 401, 403, 404, 413].includes(status), `${path}: ${status}`);
    t.true(process.memoryUsage().rss - before < 100 << 20, `${path} took ${process.memoryUsage().rss - before}`);
  }
  const packed = gzipSync(JSON.stringify([address(7)]));
  t.is((await send('POST', '/api/v1/address-sets', packed, { 'content-encoding': 'gzip' })).status, 201);
  t.is(addressListBytes(1_000), 196_096, 'two lists of the default limit');
});

/** Sends both requests over one connection, the second together with the end of the first. */
function ask(first: Buffer[], second: string): Promise<string> {
  const { hostname, port } = new URL(indexed.api.origin);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      for (const part of first) socket.write(part);
      socket.write(second);
    });
    let text = '';
    const end = () => resolve(text);
    socket.setTimeout(20_000, () => reject(new Error(`no end of: ${text.slice(0, 400)}`)));
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.on('end', end).on('close', end).on('error', end);
  });
}

test('request after a rejected body is answered, or the rejection closes the connection', async (t) => {
  const next = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  const targets = routes.flatMap(({ base, path, methods }) =>
    methods.filter((name) => name !== 'get').map((name) => [name.toUpperCase(), base + path] as const),
  );
  for (const [method, path] of [...targets, ['POST', '/nowhere'], ['PUT', '/api'], ['POST', '/healthz']] as const)
    for (const bytes of [(1 << 20) + 9, 3 << 20]) {
      const head = `${method} ${path.replaceAll(/:\w+/g, '0'.repeat(32))} HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${bytes}\r\n\r\n`;
      const text = await ask([Buffer.from(head), Buffer.alloc(bytes, 'a')], next);
      const replies = text.match(/HTTP\/1\.1 \d+/g) ?? [];
      const isClosed = replies.length === 1 && /connection: close/i.test(text);
      t.true(
        isClosed || (replies.length === 2 && /"status":"/.test(text)),
        `${method} ${path} ${bytes}: ${text.slice(0, 600)}`,
      );
    }
});

test('a damaged or unsupported form is an error of the client', async (t) => {
  const form = gzipSync('module=account&action=balance').subarray(0, 20);
  for (const [encoding, expected] of [
    ['gzip', /incomplete, or its compressed data is invalid/],
    ['compress', /Content-Encoding .* is not supported/],
  ] as const) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-encoding': encoding };
    const reply = await fetch(`${indexed.api.origin}/api`, { method: 'POST', headers, body: form });
    t.regex(((await reply.json()) as { result: string }).result, expected, encoding);
  }
});

test('a form with more than 1,000 fields is rejected before they are read', async (t) => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-encoding': 'gzip' };
  const post = async (fields: number) => {
    const body = gzipSync(`module=account&action=balance&address=${address(1)}${'&a'.repeat(fields - 3)}`);
    return (await fetch(`${indexed.api.origin}/api`, { method: 'POST', headers, body })).json();
  };
  t.like(await post(1_000), { status: '1' });
  t.regex(((await post(1_001)) as { result: string }).result, /a form must have at most 1000 fields/);
  t.regex(((await post(1_900_000)) as { result: string }).result, /a form must have at most 1000 fields/);
});

test('a body with an account of another chain is rejected', async (t) => {
  const body = JSON.stringify({ organization: `eip155:1:0x${'ab'.repeat(20)}` });
  const headers = { 'content-type': 'application/json' };
  const reply = await fetch(`${indexed.api.origin}/api/v1/integration-requests`, { method: 'POST', headers, body });
  t.is(reply.status, 400);
  t.regex(
    ((await reply.json()) as { detail: string }).detail,
    /account of another chain: this service indexes eip155:/,
  );
});
