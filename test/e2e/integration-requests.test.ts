import test from 'ava';
import type { Database } from '#sql/client.ts';
import { runCordscan } from '#test/helpers/processes.ts';
import { type RunningApi, startApi, startTestEngine, type TestEngine } from '#test/helpers/service.ts';

let engine: TestEngine;
let database: Database;
let api: RunningApi;

test.before(async () => {
  engine = await startTestEngine();
  database = await engine.open('requests');
  api = await startApi(database, ['http://127.0.0.1:1'], false, { integrationRequestsPerHour: 6 });
});

test.after.always(async () => {
  await api?.stop();
  await engine?.stop();
});

const request = {
  organization: '<b>Harbour</b> Exchange',
  contactEmail: 'listing@example.org',
  website: 'https://example.org',
  type: 'exchange',
  chainUse: 'Deposits and withdrawals',
  message: "'; DROP TABLE integration_requests; --",
};
const post = (body: unknown, key?: string, from: RunningApi = api) =>
  from.get('/api/v1/integration-requests', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key ? { 'idempotency-key': key } : {}) },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
const listed = async () => {
  const env = { CLICKHOUSE_URL: engine.url, CLICKHOUSE_DATABASE: 'requests', RPC_URL: 'http://127.0.0.1:1' };
  const { code, output } = await runCordscan(['integration', 'list'], env);
  if (code !== 0) throw new Error(output);
  return output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
};

test.serial('4.9 an invalid request is rejected field by field and not stored', async (t) => {
  const cases: [unknown, string, RegExp][] = [
    ['{', 'body', /not valid JSON/],
    [`${'['.repeat(101)}${']'.repeat(101)}`, 'body', /nested deeper than 100 levels/],
    [{ ...request, organization: ' ' }, 'organization', /must not be empty/],
    [{ ...request, organization: 'x'.repeat(201) }, 'organization', /at most 200 characters/],
    [{ ...request, contactEmail: 'nobody' }, 'contactEmail', /e-mail/],
    [{ ...request, website: 'javascript:alert(1)' }, 'website', /http/],
    [{ ...request, type: 'bank' }, 'type', /exchange, wallet/],
    [{ ...request, message: undefined }, 'message', /must be given/],
    [{ ...request, role: 'operator' }, '', /role/],
  ];
  for (const [body, parameter, message] of cases) {
    const reply = await post(body);
    t.is(reply.status, 400, parameter);
    t.regex(reply.body.detail, message);
    if (parameter !== 'body')
      t.true(reply.body.details.faults.some((fault: { parameter: string }) => fault.parameter === parameter));
  }
  t.is((await post(request, 'short')).body.code, 'bad_query');
  t.is((await post({ ...request, message: 'x'.repeat(70_000) })).status, 413);
  t.is((await api.get('/api/v1/integration-requests')).status, 405);
});

test.serial('4.9 a repeated request is stored once and listed as sent', async (t) => {
  const first = await post(request, 'key-of-harbour-1');
  t.is(first.status, 202);
  t.like(first.body, { status: 'received' });
  t.regex(first.body.id, /^[0-9a-f]{32}$/);
  const reordered = Object.fromEntries(Object.entries(request).reverse());
  t.deepEqual((await post(reordered, 'key-of-harbour-1')).body, first.body);
  t.like(await post({ ...request, message: 'another' }, 'key-of-harbour-1'), {
    status: 409,
    body: { code: 'idempotency_conflict' },
  });
  const race = await Promise.all(
    [0, 1, 2, 3].map((i) => post({ ...request, message: `race ${i}` }, 'key-of-harbour-2')),
  );
  t.deepEqual(race.map(({ status }) => status).sort(), [202, 409, 409, 409]);
  const [one, two] = [await post(request), await post(request)];
  t.not(one.body.id, two.body.id);
  const rows = await listed();
  t.deepEqual(
    rows.map((row) => row.id).sort(),
    [first, one, two, race.find(({ status }) => status === 202)!].map(({ body }) => body.id).sort(),
  );
  t.like(
    rows.find((row) => row.id === first.body.id),
    {
      organization: request.organization,
      message: request.message,
      contact_email: request.contactEmail,
      type: 'exchange',
      expected_volume: '',
    },
  );
});

test.serial('4.9 an address may send a few requests per hour, and repeating one does not count', async (t) => {
  t.is((await post(request)).status, 202);
  t.is((await post(request)).status, 202);
  const over = await post(request);
  t.like(over, { status: 429, body: { code: 'rate_limited' } });
  const seconds = Number(over.headers.get('retry-after'));
  t.true(seconds > 3_000 && seconds <= 3_600);
  t.is((await post(request, 'key-of-harbour-1')).status, 202);
  t.is((await post(request, 'key-of-harbour-9')).status, 429);
});

test.serial(
  '4.9 the request limit applies across processes and restarts, to the address set by trusted proxies',
  async (t) => {
    const rates = { ...api.deps.settings.rates, proxyHops: 1 };
    const settings = { integrationRequestsPerHour: 3, rates };
    const apis = await Promise.all([0, 1].map(() => startApi(database, ['http://127.0.0.1:1'], false, settings)));
    const sent = async (at: number, from: string, forged = '192.0.2.9') => {
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': `${forged}, ${from}` };
      const init = { method: 'POST', headers, body: JSON.stringify(request) };
      return (await apis[at]!.get('/api/v1/integration-requests', init)).status;
    };
    t.deepEqual(
      [await sent(0, '203.0.113.5'), await sent(1, '203.0.113.5'), await sent(0, '203.0.113.5')],
      [202, 202, 202],
    );
    for (const [i, forged] of ['192.0.2.1', '192.0.2.2', '203.0.113.5'].entries())
      t.is(await sent(i % 2, '203.0.113.5', forged), 429, 'what a caller writes before the proxy counts for nothing');
    t.is(await sent(1, '203.0.113.6'), 202, 'another address behind the same proxy');
    const network = ['2001:db8:7::1', '2001:db8:7:0:1::2', '2001:db8:7:0:ffff::3', '2001:db8:7::4'];
    const statuses: number[] = [];
    for (const [i, address] of network.entries()) statuses.push(await sent(i % 2, address));
    t.deepEqual(statuses, [202, 202, 202, 429], 'a /64 is one sender');
    const race = await Promise.all(Array.from({ length: 8 }, (_, i) => sent(i % 2, '203.0.113.7')));
    const taken = race.filter((status) => status === 202).length;
    t.true(taken >= 1 && taken <= 3, `${taken} of 8 at once were taken`);
    await Promise.all(apis.map((one) => one.stop()));
    const later = await startApi(database, ['http://127.0.0.1:1'], false, settings);
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.5' };
    const init = { method: 'POST', headers, body: JSON.stringify(request) };
    t.is((await later.get('/api/v1/integration-requests', init)).status, 429, 'a restart forgets nothing');
    await later.stop();
  },
);

test.serial('4.9 an idempotency key applies across processes and restarts', async (t) => {
  const [before] = (await listed()).filter((row) => row.message === request.message).slice(-1);
  const other = await startApi(database, ['http://127.0.0.1:1']);
  t.is((await post(request, 'key-of-harbour-1', other)).body.id, before.id);
  t.is((await post({ ...request, website: 'https://example.com' }, 'key-of-harbour-1', other)).status, 409);
  await other.stop();
});

test.serial('partners may choose the same key, and a repeated request stores no bytes', async (t) => {
  const { integrationRequests } = api.deps;
  const kept: number[] = [];
  const sender = { address: '203.0.113.77', keep: async (bytes: number) => void kept.push(bytes) };
  const send = (contactEmail: string) =>
    integrationRequests.receive({ ...request, type: 'exchange', contactEmail }, sender, 'key-of-harbour-1');
  const [own, again, other] = [await send('a@a.example'), await send('a@a.example'), await send('b@b.example')];
  t.is(again.id, own.id);
  t.not(other.id, own.id);
  t.is(kept.length, 2);
});
