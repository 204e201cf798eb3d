import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { promisify } from 'node:util';
import test from 'ava';
import { AbiCoder, id, toBeHex, zeroPadValue } from 'ethers';
import { request } from 'undici';
import { hasNumberedPages } from '#api/http/numbered-page.ts';
import { createHttpServer } from '#api/http/unparsed-requests.ts';
import { generateKey } from '#api/read/identity/api-key.ts';
import { routes } from '#api/routes/index.ts';
import { pause } from '#runtime/shutdown.ts';
import { type RunningEdge, startEdge } from '#test/helpers/edge.ts';
import { deployEmitter } from '#test/helpers/event-emitter.ts';
import { type IndexedChain, startIndexedChain } from '#test/helpers/indexed-chain.ts';
import { startFailingEngine } from '#test/helpers/mortal-engine.ts';
import { waitFor } from '#test/helpers/processes.ts';
import { headReader, startApi } from '#test/helpers/service.ts';
import { walkItems } from '#test/helpers/walk.ts';

let indexed: IndexedChain;
let edge: RunningEdge;

test.before(async () => {
  indexed = await startIndexedChain({ blocks: 5, seed: 35 });
  edge = await startEdge({ writerUrl: indexed.chain.rpc.url });
});

test.after.always(async () => {
  await edge?.stop();
  await indexed?.stop();
});

function raw(origin: string, head: string): Promise<string> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () =>
      socket.write(`${head}\r\nHost: x\r\nConnection: close\r\n\r\n`),
    );
    let text = '';
    socket.setTimeout(10_000, () => reject(new Error('no reply')));
    socket.on('data', (chunk) => {
      text += chunk.toString();
    });
    socket.on('close', () => resolve(text)).on('error', reject);
  });
}

test('API rejects an unsupported method as a client error', async (t) => {
  for (const method of ['PROPFIND', 'TRACE', 'PUT', 'SEARCH', 'LINK'])
    for (const path of ['/api/v1/status', '/api', '/', '/nowhere']) {
      const text = await raw(indexed.api.origin, `${method} ${path} HTTP/1.1`);
      t.regex(text, /^HTTP\/1\.1 (405|404) /, `${method} ${path}`);
      t.notRegex(text, /Internal|went wrong/);
    }
});

test('API explains requests that are too long or not HTTP', async (t) => {
  const { origin, get } = indexed.api;
  const long = await raw(origin, `GET /sql?q=${'x'.repeat(20_000)} HTTP/1.1`);
  t.regex(long, /^HTTP\/1\.1 400 .*exceed 16384 bytes.*"code":"bad_query"/s);
  t.regex(await raw(origin, 'GET / HTTP/9'), /^HTTP\/1\.1 400 .*not valid HTTP/s);
  t.is((await get('/healthz')).status, 200);
});

const countConnections = (server: Server) => promisify(server.getConnections.bind(server))();

test('clients that end neither their request nor their connection are disconnected', async (t) => {
  const server = createHttpServer(
    (request, response) => {
      if (request.url === '/begun') response.write('begun');
    },
    { headersTimeout: 300, connectionsCheckingInterval: 100, lingerMs: 200 },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  const open = async (text: string) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    let received = '';
    socket.on('data', (part) => {
      received += part.toString();
    });
    socket.on('error', () => {}).write(text);
    t.teardown(() => socket.destroy());
    await Promise.race([once(socket, 'end'), once(socket, 'close'), pause(5_000)]);
    return received;
  };
  const reply = open('GET /begun HTTP/1.1\r\nHost: x\r\n\r\nnonsense\r\n\r\n');
  t.regex(await open('GET / HTTP/1.1\r\nHost: x'), /^HTTP\/1\.1 408 /);
  t.notRegex(await reply, /400 Bad Request/, 'no error text inside a reply');
  await waitFor(async () => (await countConnections(server)) === 0, 5_000, 'no connection is kept');
});

test('API sends no encoding to a caller that accepts none', async (t) => {
  for (const accepted of ['*;q=0', 'identity;q=0', 'gzip;q=0, *;q=0', 'nonsense', '']) {
    const { headers, status, body } = await indexed.api.get('/api/v1/openapi.json', {
      headers: { 'accept-encoding': accepted },
    });
    t.is(status, 200, accepted);
    t.is(headers.get('content-encoding'), null, accepted);
    t.truthy(body.openapi);
  }
});

test('numbers that the database would cut to 32 bits are refused', async (t) => {
  for (const minTx of ['4294967296', '4294967297']) {
    const { status, body } = await indexed.api.get(`/api/v1/strings?minTx=${minTx}`);
    t.deepEqual([status, body.code], [400, 'bad_query']);
  }
  t.deepEqual((await indexed.api.get('/api/v1/strings?minTx=4294967295')).body.items, []);
});

test('problem reply repeats only a bounded part of the request and no library text', async (t) => {
  const long = 'x'.repeat(6_000);
  const asked = [
    `/api/v1/strings?limit=${long}`,
    `/api/v1/${long}`,
    `/api/v1/accounts/${long}`,
    `/api/v1/search?q=${long}`,
    `/api/v1/strings?${Array.from({ length: 300 }, (_, i) => `limit=${i}`).join('&')}`,
    `/api/v1/strings?${Array.from({ length: 700 }, (_, i) => `nobody${i}=1`).join('&')}`,
  ];
  for (const path of asked) {
    const { headers, body } = await indexed.api.get(path);
    t.true((body.detail ?? '').length <= 700, path.slice(0, 60));
    t.true(JSON.stringify(body.details ?? {}).length < 6_000, path.slice(0, 60));
    t.true((headers.get('warning') ?? '').length < 1_000);
  }
  for (const { base, path, methods, body } of routes) {
    if (!body || base === '') continue;
    const method = methods.find((name) => name !== 'get')!.toUpperCase();
    for (const sent of ['{}', '[]', '1', 'null', '{"address": 5, "message": [], "signature": {}}', '{"x": 1}']) {
      const reply = await indexed.api.get(base + path.replaceAll(/:\w+/g, '0'.repeat(32)), { method, body: sent });
      t.notRegex(
        JSON.stringify(reply.body),
        /Invalid input|expected \w+, received|Unrecognized key|Too small|Too big/,
        path,
      );
    }
  }
});

test.serial('pages of lists by number are those by cursor', async (t) => {
  const hasBalances = async () => (await indexed.api.get('/api/v1/accounts/top')).status === 200;
  await waitFor(hasBalances, 60_000, 'balances were read from the node');
  const account = indexed.chain.world.accounts[1]!;
  const token = indexed.transfers.find(({ standard }) => standard === 'erc20')!.token;
  const paths = routes
    .filter((route) => hasNumberedPages(route) && route.base === '/api/v1' && !/internal$|^.nfts/.test(route.path))
    .map(({ path }) => path.replace('/accounts/:address', `/accounts/${account}`).replace(':address', token));
  t.true(paths.length > 15, paths.join(' '));
  for (const path of paths) {
    const read = async (query: string) => {
      const { status, body } = await indexed.api.get(`/api/v1${path}?limit=2${query}`);
      t.is(status, 200, `${path} ${JSON.stringify(body)}`);
      return { rows: body.transactions ?? body.items, next: body.nextCursor as string | null };
    };
    const first = await read('');
    const second = first.next === null ? { rows: [], next: null } : await read(`&cursor=${first.next}`);
    const third = second.next === null ? { rows: [], next: null } : await read(`&cursor=${second.next}`);
    for (const [i, page] of [first, second, third].entries()) t.deepEqual(await read(`&page=${i + 1}`), page, path);
    if (first.next !== null)
      t.is((await indexed.api.get(`/api/v1${path}?page=2&cursor=${first.next}`)).body.code, 'bad_query', path);
  }
});

test('query of /api takes precedence over its form in any letter case, and accepts account ids of the chain', async (t) => {
  const account = indexed.chain.world.accounts[1]!;
  const { body } = await indexed.api.get(`/api?module=account&action=balance&ADDRESS=${account}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `address=0x${'5e'.repeat(20)}`,
  });
  t.is(body.status, '1');
  t.not(body.result, '0');
  const own = `eip155:271828:${account}`;
  const ask = async (query: string) => (await indexed.api.get(`/api?module=account&${query}`)).body;
  t.is((await ask(`action=txlist&address=${own}`)).status, '1');
  t.is((await ask(`action=balancemulti&address=${own},${own}`)).result.length, 2);
});

test('API accepts one spelling of a path, and OPTIONS has no body type', async (t) => {
  t.is((await indexed.api.get('/api/v1/status')).status, 200);
  for (const path of ['/API/v1/status', '/api/V1/Status', '/HealthZ'])
    t.is((await indexed.api.get(path)).status, 404, path);
  const options = await request(`${indexed.api.origin}/api/v1/status`, { method: 'OPTIONS' });
  t.deepEqual([options.statusCode, options.headers['content-type']], [204, undefined]);
  t.regex(String(options.headers.allow), /GET/);
});

test('API stays alive without its database, but is not ready', async (t) => {
  const mortal = await startFailingEngine(indexed.engine.url, indexed.pipeline.deps.database.options.database);
  const api = await startApi(mortal.database, [indexed.chain.rpc.url]);
  t.teardown(async () => {
    await api.stop();
    await mortal.stop();
  });
  t.is((await api.get('/healthz')).status, 200);
  mortal.dieAfter(0, () => true);
  await mortal.database.command('CREATE DATABASE gone').catch(() => undefined);
  t.true(mortal.isDead());
  const { status, body } = await api.get('/healthz');
  t.deepEqual([status, body], [200, { status: 'ok' }]);
  t.is((await api.get('/readyz')).status, 503);
  // a caller whose key can not be checked is served as one without a key
  const headers = { 'x-api-key': generateKey(), 'content-type': 'application/json' };
  const call = { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] };
  const sent = await api.get('/api/rpc', { method: 'POST', headers, body: JSON.stringify(call) });
  t.like(sent, { status: 200, body: { result: '0x425d4' } }, JSON.stringify(sent.body));
  t.is((await api.get('/api/v1/stats/charts', { headers })).status, 200, 'a public path that needs no database');
  t.like(await api.get('/api/v1/auth/identity', { headers }), { status: 503, body: { code: 'store_unavailable' } });
});

test('edge accepts a target in absolute form', async (t) => {
  t.regex(await raw(edge.origin, 'GET http://edge.example/healthz HTTP/1.1'), /^HTTP\/1\.1 200 /);
  t.regex(await raw(edge.origin, 'GET http://edge.example/nowhere HTTP/1.1'), /^HTTP\/1\.1 404 /);
  t.regex(await raw(indexed.api.origin, 'GET http://api.example/healthz HTTP/1.1'), /^HTTP\/1\.1 200 /);
});

test('two values of one parameter of /api are an error, and a repeated value is accepted', async (t) => {
  const [a, b] = ['1', '2'].map((digit) => `0x${digit.repeat(40)}`);
  const ask = async (query: string) => (await indexed.api.get(`/api?module=account&action=balance&${query}`)).body;
  for (const query of [`address=${a}&address=${b}`, `address=${a}&Address=${b}`])
    t.deepEqual(await ask(query), { status: '0', message: 'NOTOK', result: 'Error! address has two values: send one' });
  t.like(await ask(`address=${a}&address=${a}`), { status: '1', result: '0' });
  const body = new URLSearchParams({ address: b! });
  const both = await fetch(`${indexed.api.origin}/api?module=account&action=balance&Address=${a}`, {
    method: 'POST',
    body,
  });
  t.like(await both.json(), { status: '1' }, 'the query takes precedence over the form');
  const post = async (form: [string, string][]) => {
    const sent = { method: 'POST', body: new URLSearchParams(form) };
    return (await fetch(`${indexed.api.origin}/api?module=account&action=balance`, sent)).json();
  };
  t.like(
    await post([
      ['address', a!],
      ['address', b!],
    ]),
    { result: 'Error! address has two values: send one' },
  );
  t.like(
    await post([
      ['address', a!],
      ['address', a!],
    ]),
    { status: '1', result: '0' },
  );
});

test('list of token transfers passes logs that only look like transfers, in short pages', async (t) => {
  const { chain, pipeline, api } = indexed;
  const { address, emit } = await deployEmitter(chain.rpc, chain.world.accounts[7]!, 3);
  const sides = chain.world.accounts.slice(8, 10).map((account) => zeroPadValue(account, 32));
  const topics = [id('Transfer(address,address,uint256)'), ...sides];
  const values = [5, 0, 0, 0, 0, 6, 0, 0, 0, 7];
  for (const value of values) await emit({ topics, data: value === 0 ? '0x' : toBeHex(value, 32) });
  const multi = await deployEmitter(chain.rpc, chain.world.accounts[7]!, 4);
  const batchTopics = [id('TransferBatch(address,address,address,uint256[],uint256[])'), sides[0]!, ...sides];
  const items = AbiCoder.defaultAbiCoder().encode(
    ['uint256[]', 'uint256[]'],
    [
      [1, 2],
      [3, 4],
    ],
  );
  for (const data of ['0x', '0x', items, '0x', '0x', items, '0x', items])
    await multi.emit({ topics: batchTopics, data });
  await chain.rpc.call('evm_mine', []);
  await pipeline.caughtUp(headReader(chain));
  const { settings } = api.deps;
  const { pageScanRows } = settings;
  const list = async (order: string) => {
    const rows = await walkItems(api, `/tokentxns?standard=all&limit=2&order=${order}`);
    return rows.map(({ token, logIndex, batchIndex, value }) => [token, logIndex, value, batchIndex].join(' '));
  };
  const all = await list('asc');
  t.deepEqual(
    all.filter((row) => row.startsWith(address)).map((row) => row.split(' ')[2]),
    ['5', '6', '7'],
  );
  t.is(all.filter((row) => row.startsWith(multi.address)).length, 6);
  Object.assign(settings, { pageScanRows: 2 });
  t.teardown(() => Object.assign(settings, { pageScanRows }));
  let shortPages = 0;
  for (let cursor = ''; ; ) {
    const { body } = await api.get(`/api/v1/tokentxns?standard=all&limit=2&order=asc${cursor}`);
    if (!body.hasMore) break;
    if (body.items.length < 2) shortPages++;
    cursor = `&cursor=${body.nextCursor}`;
  }
  t.true(shortPages > 0, 'pages end before their limit');
  const numbered = await api.get('/api/v1/tokentxns?standard=all&limit=2&order=desc&page=9');
  t.regex(numbered.body.detail, /short pages .*: send cursor instead of page/);
  t.deepEqual(await list('asc'), all);
  t.deepEqual(await list('desc'), all.toReversed());
});
