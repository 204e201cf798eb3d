/** Budgets of callers. @source specification 1.4 and 5; conventions C10 */
import test from 'ava';
import { Wallet } from 'ethers';
import { networkOf } from '#api/middleware/rate-tiers.ts';
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
    rates: { mode: 'enforce', perMinute: { anonymous: 40, keyed: 120, operator: 100_000 }, proxyHops: 1 },
    operatorWallets: operator.address,
  });
});

test.after.always(async () => {
  await api?.stop();
  await indexed?.stop();
});

/** As the proxy in front tells it; what a caller writes before that counts for nothing. */
const from = (ip: string, headers: Record<string, string> = {}) => ({
  headers: { 'x-forwarded-for': `10.9.8.7, ${ip}`, ...headers },
});

test.serial('who asks for more is refused, in each interface’s own words; others are not', async (t) => {
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
});

test.serial('a key has its own budget, shared by all keys of its identity; an operator has a larger one', async (t) => {
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
  const junk = await api.get('/api?module=block&action=eth_block_number&apikey=junk', from('198.51.100.9'));
  t.deepEqual([junk.status, junk.headers.get('ratelimit-limit')], [200, '40'], 'any key is taken, and worth nothing');
});

test.serial('an IPv6 caller is its /64, an IPv4 caller in IPv6 dress is itself', (t) => {
  t.is(networkOf('2001:db8:1:2:3:4:5:6'), networkOf('2001:db8:1:2:ffff::1'));
  t.not(networkOf('2001:db8:1:2::1'), networkOf('2001:db8:1:3::1'));
  t.is(networkOf('::ffff:198.51.100.7'), '198.51.100.7');
  t.is(networkOf('no address'), 'no address');
});
