/** Rate limits of callers. @source docs/identity.md#rate-limits */

import test from 'ava';
import { Wallet } from 'ethers';
import { generateKey } from '#api/read/identity/api-key.ts';
import { getAddressPrefix, getNetworkPrefix, isWatcherAllowed } from '#runtime/budgets/network.ts';
import { readConfig } from '#runtime/config.ts';
import { mintKey, signIn } from '#test/helpers/identity.ts';
import { type IndexedChain, startIndexedChain } from '#test/helpers/indexed-chain.ts';
import { type RunningApi, startApi } from '#test/helpers/service.ts';

let indexed: IndexedChain;
let api: RunningApi;
const operator = Wallet.createRandom();

test.before(async () => {
  indexed = await startIndexedChain({ blocks: 40, seed: 5 });
  const { database } = indexed.pipeline.deps;
  api = await startApi(database, [indexed.chain.rpc.url], false, {
    rates: {
      mode: 'enforce',
      perMinute: { anonymous: 40, keyed: 120, operator: 100_000 },
      perNetwork: 200,
      perWatcher: 60,
      watchers: 'anywhere',
      storedBytesPerDay: { anonymous: 3_000, keyed: 5_000, operator: 1e9 },
      proxyHops: 1,
    },
    operatorWallets: operator.address,
  });
});

test.after.always(async () => {
  await api?.stop();
  await indexed?.stop();
});

/** The trusted proxy appends the client's address. Earlier entries, written by the client, do not count. */
const from = (ip: string, headers: Record<string, string> = {}) => ({
  headers: { 'x-forwarded-for': `10.9.8.7, ${ip}`, ...headers },
});

test.serial('requests over budget are rejected in each interface’s format, other callers are served', async (t) => {
  const ask = (path: string, ip = '198.51.100.7') => api.get(path, from(ip));
  const first = await ask('/api/v1/strings?limit=1');
  t.is(first.status, 200);
  t.is(first.headers.get('ratelimit-policy'), '40;w=60;enforced=true');
  for (let i = 0; i < 39; i++) await ask('/api/v1/strings?limit=1');
  const refused = await ask('/api/v1/strings?limit=1');
  t.deepEqual([refused.status, refused.body.code], [429, 'rate_limited']);
  t.true(Number(refused.headers.get('retry-after')) > 0);
  t.is(refused.headers.get('ratelimit-remaining'), '0');
  const compatible = await ask('/api?module=block&action=eth_block_number');
  t.deepEqual(
    [compatible.status, compatible.body.status, compatible.body.result],
    [200, '0', 'Max rate limit reached, please use API Key for higher rate limit'],
  );
  const rpc = await api.get('/api/rpc', { method: 'POST', body: '{}', ...from('198.51.100.7') });
  t.deepEqual([rpc.status, rpc.body.error.code], [429, -32005]);
  t.is((await ask('/healthz')).status, 200, 'health is not counted');
  const metrics = (await ask('/metrics')).body as string;
  t.regex(metrics, /cordscan_refused_total\{tier="anonymous"\} [2-9]/);
  t.regex(metrics, /cordscan_request_duration_seconds_count\{route="listAnchors",status="200"\} 40/);
  t.regex(metrics, /cordscan_index_head 4\d/);
  t.notRegex(metrics, /198\.51/, 'labels hold no caller');
  t.regex(metrics, /cordscan_cache_requests_total\{cache="api_keys",result="miss"\} \d/);
  t.regex(metrics, /cordscan_rpc_endpoint_available\{endpoint="0",host="127\.0\.0\.1:\d+"\} 1/);
  const ready = await ask('/readyz');
  t.deepEqual(
    [ready.status, ready.body],
    [200, { status: 'ready', checks: { database: 'ok', schema: 'ok', index: 'ok' } }],
  );
  t.is((await ask('/api/v1/strings?limit=1', '198.51.100.8')).status, 200, 'another address');
  for (let i = 0; i < 38; i++) await ask('/api/v1/strings?limit=1', '198.51.100.8');
  const many = Array.from({ length: 100 }, (_, i) => `0x${String(i).padStart(40, '0')}`).join();
  const costly = await ask(`/api?module=account&action=balancemulti&address=${many}`, '198.51.100.8');
  t.regex(costly.body.result, /^Max rate limit reached: too many requests: this one costs \d requests/);
});

test.serial('pages count what their queries cost', async (t) => {
  const query = (method: string) => `of=transactions&measure=count&resolution=all&method=${method}`;
  const ask = (path: string, ip: string) => api.get(path, from(ip, { accept: 'text/html' }));
  const left = async (path: string, ip: string) => {
    const { status, headers } = await ask(path, ip);
    return [status, Number(headers.get('ratelimit-remaining'))];
  };
  t.deepEqual(await left(`/charts/query?${query('0x00000001')}`, '192.0.2.20'), [200, 40 - 5]);
  const board = [2, 3].map((n) => `query=${encodeURIComponent(query(`0x0000000${n}`))}`).join('&');
  t.deepEqual(await left(`/board?${board}`, '192.0.2.20'), [200, 40 - 5 - 1 - 2 * 4]);
  for (let i = 0; i < 23; i++) await ask('/blocks', '192.0.2.20');
  const refused = await ask(`/charts/query?${query('0x00000004')}`, '192.0.2.20');
  t.is(refused.status, 429);
  t.regex(refused.body, /Limit of 40 requests per minute for one anonymous caller exceeded/);
});

test.serial('each call of a batch is charged, and a body is charged when it was sent', async (t) => {
  const calls = (count: number) =>
    JSON.stringify(
      Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', id, method: 'eth_chainId', params: [] })),
    );
  const post = (count: number, ip: string) => api.get('/api/rpc', { method: 'POST', body: calls(count), ...from(ip) });
  const whole = await post(30, '192.0.2.1');
  t.is(whole.body.length, 30);
  t.is(whole.headers.get('ratelimit-remaining'), '10');
  const over = await post(20, '192.0.2.1');
  t.deepEqual([over.status, over.body.error], [429, { code: -32005, message: 'limit exceeded' }]);
  const sent = JSON.stringify([
    ...JSON.parse(calls(20)),
    { jsonrpc: '2.0', id: 99, method: 'eth_sendRawTransaction', params: ['0x00'] },
  ]);
  const slashed = await api.get('/api/rpc/', { method: 'POST', body: sent, ...from('192.0.2.1') });
  t.deepEqual([slashed.status, slashed.body.error], [429, { code: -32005, message: 'limit exceeded' }]);
  t.is((await post(1, '192.0.2.2')).body[0].result, '0x425d4');
  const large = await api.get('/api/v1/openapi.json', from('192.0.2.3', { 'accept-encoding': 'identity' }));
  const cost = Math.floor(JSON.stringify(large.body).length / 65_536);
  t.true(cost > 1);
  const after = await api.get('/api/v1/strings?limit=1', from('192.0.2.3'));
  t.is(Number(after.headers.get('ratelimit-remaining')), 40 - 1 - cost - 1);
});

test.serial('new wallets and addresses of a network share its budget; other networks do not', async (t) => {
  const ask = (ip: string, headers = {}) => api.get('/api/v1/strings?limit=1', from(ip, headers));
  let answered = 0;
  for (let i = 0; i < 8; i++)
    for (let at = 0; at < 30; at++) if ((await ask(`203.0.113.${i}`)).status === 200) answered++;
  t.is(answered, 200);
  const { headers, body } = await ask('203.0.113.99');
  t.is(headers.get('ratelimit-limit'), '200');
  t.regex(body.detail, /limit of 200 requests per minute for all callers of one network exceeded/);
  const token = await signIn(api);
  const keyed = (ip: string) => ask(ip, { authorization: `Bearer ${token}` });
  t.is((await keyed('203.0.113.99')).status, 429, 'a wallet made a second ago');
  t.is((await keyed('198.18.0.1')).status, 200);
  t.is((await ask('203.0.114.1')).status, 200);
  const own = await mintKey(api, await signIn(api, operator));
  t.is((await ask('203.0.113.99', { 'x-api-key': own.key })).status, 200, 'an operator is not held up');
});

test.serial('guessed keys are looked up at a bounded rate per network', async (t) => {
  const guess = (ip: string) => api.get('/api/v1/strings?limit=1', from(ip, { 'x-api-key': generateKey() }));
  /** Guesses one key from each address. On a slow machine, the guesses take more seconds, so more are allowed. */
  const assertBounded = async (ips: string[], perSecond: number) => {
    const startedAt = performance.now();
    const statuses = await Promise.all(ips.map(async (ip) => (await guess(ip)).status));
    const seconds = (performance.now() - startedAt) / 1_000;
    t.true(statuses.every((status) => status === 401 || status === 429));
    const lookedUp = statuses.filter((status) => status === 401).length;
    t.true(lookedUp <= perSecond * (Math.ceil(seconds) + 1), `${lookedUp} look-ups in ${seconds} s`);
  };
  await assertBounded(Array(50).fill('198.19.0.1'), 10);
  t.is((await guess('198.19.0.2')).status, 401, 'a neighbour');
  await assertBounded(
    Array.from({ length: 150 }, (_, at) => `198.19.0.${100 + at}`),
    40,
  );
  t.is((await guess('198.19.1.1')).status, 401, 'another network');
});

test.serial('one caller cannot take all waiting slots', async (t) => {
  const { head } = (await indexed.pipeline.state())!;
  // each request waits for a block that does not arrive
  const path = `/api?module=block&action=getblockreward&blockno=${head + 3}`;
  for (const [method, network] of Object.entries({ GET: '198.18.7', POST: '198.18.8' })) {
    const ask = async () => (await api.get(path, { method, ...from(`${network}.1`) })).body;
    const flood = Array.from({ length: 38 }, ask);
    const neighbour = api.get('/api/v1/strings?limit=1', from(`${network}.2`));
    const refused = (await Promise.all(flood)).filter(({ result }) =>
      /20 requests without a key are already queued for one caller/.test(result),
    );
    t.true(refused.length >= 5, `${method}: ${refused.length}`);
    t.is((await neighbour).status, 200);
  }
});

test.serial('stored data of a caller is limited per day, by network without a key', async (t) => {
  const wallets = Array.from({ length: 30 }, () => Wallet.createRandom());
  const store = async (wallet: { signTransaction: Wallet['signTransaction'] }, ip: string) => {
    const raw = await wallet.signTransaction({
      to: operator.address,
      nonce: 0,
      chainId: 271_828,
      gasLimit: 90_000n,
      type: 2,
      data: `0x${'ab'.repeat(600)}`,
      maxFeePerGas: 10n ** 12n,
      maxPriorityFeePerGas: 1n,
      value: 0n,
    });
    const body = JSON.stringify({ raw, broadcast: false });
    return api.get('/api/v1/withdrawals', { method: 'POST', body, ...from(ip) });
  };
  const statuses: number[] = [];
  for (const [at, wallet] of wallets.slice(0, 6).entries())
    statuses.push((await store(wallet, `192.0.3.${at}`)).status);
  t.deepEqual(statuses, [200, 200, 200, 200, 429, 429]);
  t.is((await store(wallets[7]!, '192.0.4.1')).status, 200, 'another network');
});

test.serial('health, readiness and metrics have their own budget', async (t) => {
  let answered = 0;
  for (let i = 0; i < 70; i++) if ((await api.get('/healthz', from('192.0.2.77'))).status === 200) answered++;
  t.is(answered, 60);
  const { status, headers } = await api.get('/metrics', from('192.0.2.77'));
  t.is(status, 429);
  t.true(Number(headers.get('retry-after')) > 0);
  t.is((await api.get('/healthz', from('192.0.2.78'))).status, 200);
});

test('metrics are served to the local machine, and to others only as configured', (t) => {
  const told = (peer: string, headers = {}, hops = 0) =>
    (['loopback', 'private', 'anywhere'] as const).filter((access) => isWatcherAllowed(access, peer, headers, hops));
  t.deepEqual(told('127.0.0.1'), ['loopback', 'private', 'anywhere']);
  t.deepEqual(told('::ffff:127.0.0.1'), ['loopback', 'private', 'anywhere']);
  t.deepEqual(told('172.18.0.4'), ['private', 'anywhere']);
  t.deepEqual(told('fd00::4'), ['private', 'anywhere']);
  t.deepEqual(told('198.51.100.7'), ['anywhere']);
  t.deepEqual(
    told('127.0.0.1', { 'x-forwarded-for': '127.0.0.1' }),
    ['anywhere'],
    'through a proxy that is not told of',
  );
  t.deepEqual(told('127.0.0.1', { 'x-forwarded-for': '127.0.0.1, 198.51.100.7' }, 1), ['anywhere']);
  t.deepEqual(told('127.0.0.1', { 'x-forwarded-for': '198.51.100.7, 10.0.0.3' }, 1), ['private', 'anywhere']);
});

test.serial('metrics return 404 to strangers', async (t) => {
  const { status, body } = await indexed.api.get('/metrics', { headers: { 'x-forwarded-for': '198.51.100.7' } });
  t.deepEqual([status, body.code], [404, 'not_found']);
  t.is((await indexed.api.get('/metrics')).status, 200);
});

test('budgets are enforced by default when remote callers are possible', (t) => {
  const mode = (env: Record<string, string>) => readConfig(env).rateMode;
  t.is(mode({}), 'observe');
  t.is(mode({ HOST: '::1' }), 'observe');
  t.is(mode({ HOST: '0.0.0.0' }), 'enforce');
  t.is(mode({ HOST: '10.0.0.7' }), 'enforce');
  t.is(mode({ HOST: '0.0.0.0', RATE_LIMITS: 'off' }), 'off');
});

test.serial('all keys of an identity share a budget, and an operator has a larger one', async (t) => {
  const token = await signIn(api);
  const keys = [await mintKey(api, token), await mintKey(api, token)];
  const ask = (key: string) => api.get('/api/v1/strings?limit=1', from('198.51.100.7', { 'x-api-key': key }));
  const first = await ask(keys[0]!.key);
  t.is(first.status, 200, 'the flood of its address is not the key’s');
  t.is(first.headers.get('ratelimit-limit'), '120');
  const left = Number((await ask(keys[1]!.key)).headers.get('ratelimit-remaining'));
  t.is(left, Number(first.headers.get('ratelimit-remaining')) - 1);
  const own = await mintKey(api, await signIn(api, operator));
  t.is((await ask(own.key)).headers.get('ratelimit-limit'), '100000');
  const compatible = await api.get(`/api?module=block&action=eth_block_number&apikey=${own.key}`, from('198.51.100.7'));
  t.is(compatible.headers.get('ratelimit-limit'), '100000');
  const budget = async (query: string, ip = '198.51.100.20') =>
    (await api.get(`/api?module=getapilimit&action=getapilimit${query}`, from(ip))).body;
  const anonymous = await budget('');
  t.like(anonymous, { status: '1', message: 'OK' });
  t.like(anonymous.result, { creditsUsed: 1, creditsAvailable: 39, creditLimit: 40, limitInterval: 'minute' });
  t.regex(anonymous.result.intervalExpiryTimespan, /^00:(01:00|00:[0-5]\d)$/);
  t.like((await budget('')).result, { creditsUsed: 2, creditsAvailable: 38 });
  const used = (await budget(`&apikey=${keys[0]!.key}`)).result;
  t.like(used, { creditLimit: 120, creditsAvailable: 120 - used.creditsUsed });
  t.is(
    (await budget(`&apikey=${keys[1]!.key}`)).result.creditsUsed,
    used.creditsUsed + 1,
    'keys of one identity share',
  );
  const usedBefore = (await budget(`&apikey=${keys[0]!.key}`)).result.creditsUsed;
  for (const name of ['apikey', 'ApiKey']) {
    const form = new URLSearchParams({ module: 'block', action: 'eth_block_number', [name]: keys[0]!.key });
    const posted = await api.get('/api', { ...from('198.51.100.21'), method: 'POST', body: form });
    t.is(posted.headers.get('ratelimit-limit'), '120', `${name} in a form`);
  }
  const spelled = (await budget(`&ApiKey=${keys[0]!.key}`)).result;
  t.like(spelled, { creditLimit: 120, creditsUsed: usedBefore + 3 }, 'two forms, and this request');
  const junk = await api.get('/api?module=block&action=eth_block_number&apikey=junk', from('198.51.100.9'));
  t.deepEqual([junk.status, junk.headers.get('ratelimit-limit')], [200, '40'], 'any key is taken, and worth nothing');
});

test.serial('IPv6 callers count as their /64, mapped IPv4 callers as themselves', (t) => {
  t.is(getAddressPrefix('2001:db8:1:2:3:4:5:6'), getAddressPrefix('2001:db8:1:2:ffff::1'));
  t.not(getAddressPrefix('2001:db8:1:2::1'), getAddressPrefix('2001:db8:1:3::1'));
  t.is(getNetworkPrefix('2001:db8:1:2::1'), getNetworkPrefix('2001:db8:1:3::1'));
  t.is(getNetworkPrefix('198.51.100.7'), '198.51.100.0/24');
  t.is(getAddressPrefix('::ffff:198.51.100.7'), '198.51.100.7');
  t.is(getAddressPrefix('no address'), 'no address');
  t.is(getAddressPrefix('198.51.100.7:53211'), '198.51.100.7', 'some proxies append the port');
  t.is(getNetworkPrefix('[2001:db8:1:2::1]:443'), getNetworkPrefix('2001:db8:1:3::1'));
});
