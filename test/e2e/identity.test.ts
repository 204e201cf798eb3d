import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { Wallet } from 'ethers';
import pino from 'pino';
import type { Access } from '#api/read/identity/access.ts';
import { routes } from '#api/routes/index.ts';
import { pause } from '#runtime/shutdown.ts';
import { makeCases, refusal, routesByAccess } from '#test/helpers/authorisation.ts';
import { bearer, link, post, type Signer, signIn } from '#test/helpers/identity.ts';
import { audience, type OpenIdProviderFake, startOpenIdProvider } from '#test/helpers/open-id-provider.ts';
import { pool } from '#test/helpers/pool.ts';
import { scratchFolder, waitFor } from '#test/helpers/processes.ts';
import {
  adminToken,
  chainId,
  headReader,
  type RunningApi,
  type RunningPipeline,
  startApi,
  startDevChain,
  startPipeline,
  startTestEngine,
  type TestEngine,
} from '#test/helpers/service.ts';

const origin = 'http://explorer.test';
let engine: TestEngine;
let chain: Awaited<ReturnType<typeof startDevChain>>;
let pipeline: RunningPipeline;
let api: RunningApi;
let provider: OpenIdProviderFake;
let dir: string;
const logged: string[] = [];
const secrets = new Set<string>([adminToken]);

const wallet = Wallet.createRandom();
const other = Wallet.createRandom();
const operator = Wallet.createRandom();
const exOperator = Wallet.createRandom();
const operatorFile = () => join(dir, 'operators');

test.before(async () => {
  dir = await scratchFolder('cordscan-identity');
  await writeFile(operatorFile(), `# operators\n${operator.address}\n${exOperator.address.toLowerCase()}, `);
  [engine, chain, provider] = await Promise.all([
    startTestEngine(),
    startDevChain({ blocks: 60 }),
    startOpenIdProvider(),
  ]);
  const database = await engine.open('identity');
  pipeline = startPipeline({ database, urls: [chain.rpc.url] });
  await pipeline.caughtUp(headReader(chain), 60_000);
  const openId = { issuer: provider.issuer, audience };
  const settings = { origin, openId, operatorWallets: `@${operatorFile()}` };
  const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) });
  api = await startApi(database, [chain.rpc.url], false, { ...settings, log });
  const { get } = api;
  api = { ...api, get: async (path, init) => noticed(await get(path, init)) };
});

test.after.always(async () => {
  await api?.stop();
  await pipeline?.stop();
  await Promise.all([chain?.stop(), engine?.stop(), provider?.stop()]);
  await rm(dir, { recursive: true, force: true });
});

async function setOperators(text: string): Promise<void> {
  await writeFile(operatorFile(), text);
  await pause(1_100);
}

/** Fails if a reply repeats a secret of an earlier reply. */
function noticed<R extends { body: unknown }>(reply: R): R {
  const text = JSON.stringify(reply.body ?? '');
  for (const secret of secrets) if (text.includes(secret)) throw new Error(`a reply says a secret: ${text}`);
  const { key, accessToken } = (reply.body ?? {}) as { key?: string; accessToken?: string };
  if (key && !key.includes('…')) secrets.add(key);
  if (accessToken) secrets.add(accessToken);
  return reply;
}

test.serial('every route accepts exactly the credentials of the authorisation matrix', async (t) => {
  const listed = Object.entries(routesByAccess).flatMap(([access, ids]) =>
    ids
      .split(' ')
      .filter(Boolean)
      .map((id): [string, Access] => [id, access as Access]),
  );
  t.deepEqual(listed.map(([id]) => id).sort(), routes.map((route) => route.id).sort(), 'every route has its line');
  const byId = new Map(listed);
  const cases = await makeCases({ api, provider, wallet, operator, exOperator, setOperators });
  const faults: string[] = [];
  // public routes only check keys, so one case per role is enough
  const ofEachWorth = cases.filter(({ worth }, at) => cases.findIndex((one) => one.worth === worth) === at);
  const asked = routes.flatMap((route) =>
    (byId.get(route.id) === 'public' ? ofEachWorth : cases).map((one) => ({ route, ...one })),
  );
  await pool(asked.length, 4, async (at) => {
    const { route, name, headers, worth } = asked[at]!;
    const access = byId.get(route.id)!;
    t.is(route.access ?? 'public', access, route.id);
    const path = route.base + route.example.replace('{account}', other.address).replace(/{\w+}/g, '0');
    // claims that a caller makes about itself must have no effect
    const url = `${path}${path.includes('?') ? '&' : '?'}operator=true&scope=operator&identity=wallet:${operator.address}`;
    const method = route.methods[0]!.toUpperCase();
    const left = new AbortController();
    const ask = () =>
      fetch(api.origin + url, {
        method,
        signal: left.signal,
        headers: { ...headers, 'x-operator': 'true', 'x-forwarded-for': '127.0.0.1' },
        ...(method === 'GET' ? {} : { body: JSON.stringify({ operator: true, scope: 'operator', name: 1 }) }),
      });
    let reply = await ask();
    // unknown keys are limited to ten per second
    while (reply.status === 429 && worth === 'invalid_api_key') {
      await new Promise((resolve) => setTimeout(resolve, 200));
      reply = await ask();
    }
    const isRefused = reply.status === 401 || reply.status === 403;
    const got = isRefused ? `${reply.status} ${((await reply.json()) as { code: string }).code}` : undefined;
    left.abort();
    const wanted = refusal(access, route.id, route.base === '', worth);
    // the example's signature is invalid for every caller
    const isOwnRefusal = got?.endsWith('sign_in_refused') && wanted === undefined;
    if (got !== wanted && !isOwnRefusal) faults.push(`${route.id}, ${name}: ${got ?? reply.status}, not ${wanted}`);
  });
  t.deepEqual(faults, []);
});

test.serial('sign-in rejects a message that was changed or already used', async (t) => {
  const signer: Signer = Wallet.createRandom();
  const challenge = async () => (await post(api, '/api/v1/auth/nonce', { address: signer.address })).body;
  const send = async (message: string, by: Signer = signer) =>
    post(api, '/api/v1/auth/sign-in', { message, signature: await by.signMessage(message) });
  const { message } = await challenge();
  const first = await send(message);
  t.is(first.status, 200);
  t.is(first.headers.get('cache-control'), 'no-store');
  t.deepEqual(first.body.wallets, [signer.address.toLowerCase()]);
  const refused = async (text: string, reason: RegExp, by?: Signer) => {
    const { status, body } = await send(text, by);
    t.is(`${status} ${body.code}`, '401 sign_in_refused', text);
    t.regex(body.detail, reason);
  };
  await refused(message, /used already/);
  const changed = async (from: string | RegExp, to: string) => (await challenge()).message.replace(from, to);
  await refused(await changed('explorer.test wants', 'evil.test wants'), /domain/);
  await refused(await changed('URI: http://explorer.test', 'URI: http://evil.test'), /URI/);
  await refused(await changed(`Chain ID: ${chainId}`, 'Chain ID: 1'), /chain id/);
  await refused(await changed(/Nonce: \w+/, 'Nonce: 0123456789abcdef'), /nonce/);
  await refused(
    await changed(/Expiration Time: .*/, `Expiration Time: ${new Date(Date.now() - 1000).toISOString()}`),
    /expired/,
  );
  await refused(await changed(/Expiration Time: .*/, 'Expiration Time: 2999-01-01T00:00:00.000Z'), /Expiration/);
  await refused(await changed(/\nExpiration Time: .*/, ''), /Expiration/);
  await refused(await changed(/Issued At: .*/, 'Issued At: 2999-01-01T00:00:00.000Z'), /Issued At/);
  await refused((await challenge()).message, /signature/, Wallet.createRandom());
  await refused(`${(await challenge()).message} `, /EIP-4361/);
  await refused('hello', /EIP-4361/);
  const old = (await challenge()).message;
  const before = Date.now;
  Date.now = () => before() + 700_000;
  await refused(old, /expired/);
  Date.now = before;
  const raced = (await challenge()).message;
  const race = await Promise.all(Array.from({ length: 10 }, () => send(raced)));
  t.is(race.filter(({ status }) => status === 200).length, 1, 'of ten at once one passes at most');
});

test.serial('wallets are linked only by their own signature for this identity, and unlinked', async (t) => {
  const [mine, second, stranger] = [Wallet.createRandom(), Wallet.createRandom(), Wallet.createRandom()];
  const token = await signIn(api, mine);
  t.deepEqual(
    (await link(api, token, second)).body.wallets,
    [mine, second].map((one) => one.address.toLowerCase()),
  );
  const history = (address: string, headers = bearer(token)) => api.get(`/v1/history/${address}`, { headers });
  t.is((await history(second.address)).status, 200);
  // a signature made for sign-in, or for another identity, must not link
  const { body: signInMessage } = await post(api, '/api/v1/auth/nonce', { address: second.address });
  const foreign = await signIn(api, stranger);
  const { body: elsewhere } = await post(
    api,
    '/api/v1/auth/wallets/nonce',
    { address: second.address },
    bearer(foreign),
  );
  for (const { message } of [signInMessage, elsewhere]) {
    const signature = await second.signMessage(message);
    const { status } = await post(api, '/api/v1/auth/wallets', { message, signature }, bearer(token));
    t.is(status, 401);
  }
  const remove = (address: string) =>
    api.get(`/api/v1/auth/wallets/${address}`, { method: 'DELETE', headers: bearer(token) });
  t.is((await remove(mine.address)).body.code, 'wallet_conflict');
  t.is((await remove(stranger.address)).status, 404);
  t.deepEqual((await remove(second.address)).body.wallets, [mine.address.toLowerCase()]);
  t.is((await history(second.address)).body.code, 'wallet_scope_violation');
  const byProvider = await provider.token({ subject: 'exchange' });
  t.is((await history(second.address, bearer(byProvider))).body.code, 'wallet_scope_violation');
  await link(api, byProvider, second);
  t.is((await history(second.address, bearer(byProvider))).status, 200);
});

test.serial('contract wallet signs by EIP-1271 within a gas limit', async (t) => {
  const { rpc } = chain;
  const [account] = await rpc.call<string[]>('eth_accounts', []);
  const deploy = async (runtime: string) => {
    const size = (runtime.length / 2).toString(16).padStart(2, '0');
    const data = `0x60${size}600c60003960${size}6000f3${runtime}`;
    const hash = await rpc.call<string>('eth_sendTransaction', [{ from: account, data, gas: '0x100000' }]);
    await rpc.call('evm_mine', []);
    return (await rpc.call<{ contractAddress: string }>('eth_getTransactionReceipt', [hash])).contractAddress;
  };
  const answers = await deploy(`631626ba7e60e01b60005260206000f3`);
  const loops = await deploy('5b600056');
  const says = async (address: string) => {
    const { body } = await post(api, '/api/v1/auth/nonce', { address });
    return (await post(api, '/api/v1/auth/sign-in', { message: body.message, signature: `0x${'11'.repeat(65)}` }))
      .status;
  };
  t.deepEqual([await says(answers), await says(loops)], [200, 401]);
});

test.serial('fifty concurrent mints leave five keys, masked in lists, and a revoked key fails at once', async (t) => {
  const token = await signIn(api);
  const headers = bearer(token);
  const minted = await Promise.all(Array.from({ length: 50 }, () => post(api, '/api/v1/keys', {}, headers)));
  const kept = minted.filter(({ status }) => status === 201);
  t.is(kept.length, 5);
  t.true(minted.every(({ status, body }) => status === 201 || body.code === 'key_limit_reached'));
  t.true(kept.every((reply) => reply.headers.get('cache-control') === 'no-store'));
  const { items } = (await api.get('/api/v1/keys', { headers })).body;
  t.is(items.filter((item: { status: string }) => item.status === 'active').length, 5);
  t.regex(items[0].key, /^fat_live_…[0-9A-Za-z]{4}$/);
  const [{ id, key }] = kept.map((reply) => reply.body);
  const verify = () => api.get('/api/v1/keys/verify', { headers: { 'x-api-key': key } });
  const first = await verify();
  t.is(first.body.valid, true);
  for (let i = 0; i < 10; i++) await api.get('/api/v1/stats', { headers: { 'x-api-key': key } });
  const second = await verify();
  t.is(second.body.usage.total, first.body.usage.total + 11);
  t.is(second.body.usage.today, second.body.usage.total);
  t.regex(second.body.usage.lastUsedAt, /Z$/);
  const twin = await startApi(api.deps.database, [chain.rpc.url]);
  const inTwin = () => twin.get('/api/v1/keys/verify', { headers: { 'x-api-key': key } });
  t.is((await inTwin()).status, 200);
  const revoke = (token: string) => api.get(`/api/v1/keys/${id}`, { method: 'DELETE', headers: bearer(token) });
  t.is((await revoke(await signIn(api))).status, 404, 'the key of somebody else is not there');
  t.deepEqual([(await revoke(token)).status, (await revoke(token)).status], [204, 204]);
  t.deepEqual([(await verify()).body.code, (await verify()).body.valid], ['key_revoked', false]);
  t.is((await api.get('/api/v1/stats', { headers: { 'x-api-key': key } })).body.code, 'key_revoked');
  await waitFor(async () => (await inTwin()).status === 401, 30_000, 'the other instance shuts it out');
  await twin.stop();
  t.is((await post(api, '/api/v1/keys', {}, headers)).status, 201, 'there is room for another one');
});

test.serial('operator removed from the list loses its rights without a restart', async (t) => {
  const token = await signIn(api, exOperator);
  const isOperator = async () => (await api.get('/api/v1/auth/identity', { headers: bearer(token) })).body.isOperator;
  t.false(await isOperator());
  await writeFile(operatorFile(), `${operator.address}\n${exOperator.address}`);
  await waitFor(isOperator, 30_000, 'the wallet is an operator again');
  t.is((await api.get(`/v1/history/${other.address}`, { headers: bearer(token) })).status, 200);
  await rm(operatorFile());
  await waitFor(async () => !(await isOperator()), 30_000, 'no file, no operator');
  t.is((await post(api, '/v1/checkpoint', {}, bearer(token))).body.code, 'operator_required');
  await setOperators(operator.address);
});

test.serial('sign-in survives key rotation and outage of the provider', async (t) => {
  await provider.rotate();
  await pause(2_100);
  const headers = bearer(await provider.token());
  t.is((await api.get('/api/v1/auth/identity', { headers })).body.isOperator, false, 'roles in a token grant nothing');
  provider.isDown.value = true;
  await provider.rotate();
  await pause(2_100);
  const { status, body } = await api.get('/api/v1/auth/identity', { headers: bearer(await provider.token()) });
  t.is(`${status} ${body.code}`, '503 identity_provider_unavailable');
  provider.isDown.value = false;
});

test.serial('logs and replies never repeat a key, token or secret', (t) => {
  t.true(secrets.size > 20);
  const text = logged.join('');
  for (const secret of secrets) t.false(text.includes(secret));
});
