import test from 'ava';
import { Webhook } from 'standardwebhooks';
import { RateTiers } from '#api/http/rate-tiers.ts';
import { readIdentity } from '#api/read/identity/caller.ts';
import { runSchedules } from '#api/read/sql/run-schedules.ts';
import { maxSavedQueries } from '#api/read/sql/saved-queries.ts';
import { keptResults, nextRun } from '#api/read/sql/schedules.ts';
import { bearer, post, signIn } from '#test/helpers/identity.ts';
import { type IndexedChain, startIndexedChain } from '#test/helpers/indexed-chain.ts';
import { readPage } from '#test/helpers/page-reader.ts';
import { waitFor } from '#test/helpers/processes.ts';
import { startWebhookReceiver, type WebhookReceiver } from '#test/helpers/webhook-receiver.ts';

let indexed: IndexedChain;
let receiver: WebhookReceiver;
let [token, other] = ['', ''];
/** Lead of the clock for schedules, ms. */
let isOverLimit = false;
let passedMs = 0;
const hourMs = 3_600_000;
const stop = new AbortController();

const saved = '/api/v1/sql/saved';
const api = () => indexed.api;
const get = (path: string, who = token) => api().get(saved + path, { headers: bearer(who) });
const send = (path: string, body: unknown, who = token) => post(api(), saved + path, body, bearer(who));
const remove = (path: string, who = token) => api().get(saved + path, { method: 'DELETE', headers: bearer(who) });
const query = {
  title: ' Blocks of a producer ',
  sql: 'SELECT count() AS blocks, max(block_number) AS last FROM blocks WHERE block_number >= {from:UInt64}',
  parameters: { from: 10 },
};

test.before(async () => {
  indexed = await startIndexedChain({ blocks: 60, seed: 5 });
  receiver = await startWebhookReceiver();
  [token, other] = [await signIn(api()), await signIn(api())];
  const { rates, credentials } = api().deps.admission;
  const { perMinute, ...settings } = rates.settings;
  const strict = new RateTiers({ ...settings, mode: 'enforce', perMinute: { ...perMinute, keyed: 0 } });
  const deps = {
    ...api().deps,
    outbound: { ...api().deps.outbound, ...receiver.server.network },
    chargeOwner: async (owner: string, cost: number) =>
      (isOverLimit ? strict : rates).chargeOwner(await readIdentity(credentials, owner), cost),
  };
  void runSchedules(deps, stop.signal, { everyMs: 100, now: () => Date.now() + passedMs });
});

test.after.always(async () => {
  stop.abort();
  await receiver?.server.stop();
  await indexed?.stop();
});

test.serial('a saved query is read by everybody, changed by its owner only, and keeps its versions', async (t) => {
  const { status: made, body: first } = await send('', query);
  t.is(made, 201);
  t.like(first, { version: 1, title: 'Blocks of a producer', parameters: { from: '10' }, at: 'finalized' });
  const path = `/${first.id}`;
  t.is((await send(`${path}/versions`, query, other)).status, 404);
  t.is((await remove(path, other)).status, 404);
  const changed = await send(`${path}/versions`, { ...query, sql: 'SELECT 1', at: 'head' });
  t.is(`${changed.status} ${changed.body.version}`, '201 2');
  const { body: newest } = await api().get(`${saved}${path}`);
  t.like(newest, { version: 2, sql: 'SELECT 1', at: 'head', isScheduled: false });
  t.deepEqual(
    newest.versions.map(({ version }: { version: number }) => version),
    [2, 1],
  );
  const { body: old } = await api().get(`${saved}${path}?version=1`);
  t.like(old, { version: 1, sql: query.sql, path: `/sql?saved=${first.id}&version=1` });
  t.is((await api().get(`${saved}${path}?version=3`)).status, 404);
  const page = await readPage(api(), old.path);
  t.true(page.text.includes('Blocks of a producer') && page.text.includes('SELECT count() AS blocks'));
  t.deepEqual(
    (await get('')).body.items.map(({ id, version }: { id: string; version: number }) => `${id} ${version}`),
    [`${first.id} 2`],
  );
  t.deepEqual((await get('', other)).body.items, []);
  t.is((await remove(path)).status, 204);
  t.is((await api().get(`${saved}${path}`)).status, 404);
  t.is((await readPage(api(), `/sql?saved=${first.id}`)).status, 404);
});

test.serial('what can not run, and too much, is not saved', async (t) => {
  for (const sql of ['DROP TABLE blocks', 'SELECT 1 SETTINGS max_threads = 1', '', 'SELECT 1; SELECT 2'])
    t.is((await send('', { ...query, sql })).status, 400, sql);
  t.is((await send('', { ...query, title: ' ' })).status, 400);
  const hash = { title: 'x', sql: 'SELECT * FROM blocks WHERE hash = {h:Hash}', parameters: { h: '0x1' } };
  t.regex((await send('', hash)).body.detail, /64 hex digits/);
  t.is((await api().get(saved)).status, 401);
  const many = await Promise.all(Array.from({ length: maxSavedQueries }, () => send('', query, other)));
  t.true(many.every((one) => one.status === 201));
  t.regex((await send('', query, other)).body.detail, /at most 100 queries/);
});

test.serial('a scheduled query runs, and its receiver gets each signed result in order', async (t) => {
  const { body: made } = await send('', query);
  const path = `/${made.id}`;
  const url = receiver.url;
  t.is((await send(`${path}/schedule`, { everyMinutes: 5, url })).status, 400);
  t.regex((await send(`${path}/schedule`, { everyMinutes: 60, url: 'http://10.0.0.1/' })).body.detail, /HTTPS/);
  t.is((await send(`${path}/schedule`, { everyMinutes: 60 }, other)).status, 404);
  t.is((await get(`${path}/results/latest`)).status, 404);
  const { body: schedule } = await send(`${path}/schedule`, { everyMinutes: 60, url });
  t.regex(schedule.nextRunAt, /:00:00Z$/, 'runs at full hours');
  t.is(schedule.state, 'working');

  isOverLimit = true;
  passedMs = hourMs - (Date.now() % hourMs) + 60_000; // a minute after the next full hour
  const lastError = async () => (await get(`${path}/schedule`)).body.lastError ?? '';
  await waitFor(async () => /too many requests/.test(await lastError()), 20_000, 'a run waits for the rate limit');
  t.is((await get(`${path}/results/latest`)).status, 404);

  isOverLimit = false;
  receiver.status = 500;
  passedMs += 60_001;
  await waitFor(async () => (await get(`${path}/schedule`)).body.state === 'failing', 20_000, 'the receiver failed');
  const { body: result } = await api().get(`${saved}${path}/results/latest`);
  const state = (await indexed.pipeline.state())!;
  t.is(result.runAt, schedule.nextRunAt);
  t.deepEqual(result.rows, [[String(state.finalized - 9), String(state.finalized)]]);
  t.like(result, { version: 1, rowCount: 1, error: null, asOf: { block: state.finalized } });

  await send(`${path}/versions`, { ...query, sql: 'SELECT missing FROM blocks' });
  passedMs += hourMs;
  await waitFor(
    async () => (await api().get(`${saved}${path}/results`)).body.items.length === 2,
    20_000,
    'a failing query has a result too',
  );
  const [failed] = (await api().get(`${saved}${path}/results`)).body.items;
  t.like(failed, { version: 2, rowCount: 0, asOf: null });
  t.regex(failed.error, /missing/);

  [receiver.status, receiver.received.length] = [204, 0];
  passedMs += 600_000;
  await waitFor(() => receiver.received.length === 2, 20_000, 'both results were received');
  const bodies = receiver.received.map(({ body, headers }) => {
    new Webhook(schedule.secret).verify(body, headers);
    return JSON.parse(body);
  });
  t.like(bodies[0], { type: 'sql.result', query: made.id });
  t.deepEqual(bodies[0].data.rows, result.rows);
  t.is(bodies[0].data.path, result.path);
  t.regex(bodies[1].data.error, /missing/);
  t.is((await api().get(`${failed.path}?format=csv`)).status, 400);
  const csv = await api().get(`${result.path}?format=csv`);
  t.is(csv.body, `blocks,last\r\n${result.rows[0].join(',')}\r\n`);

  t.is((await remove(`${path}/schedule`)).status, 204);
  t.is((await get(`${path}/schedule`)).status, 404);
  t.is((await api().get(`${saved}${path}/results`)).body.items.length, 2, 'the results stay');
});

test('runs begin at multiples of their interval', (t) => {
  t.is(nextRun(60, Date.UTC(2026, 0, 1, 10, 59)), Date.UTC(2026, 0, 1, 11));
  t.is(nextRun(1_440, Date.UTC(2026, 0, 1)), Date.UTC(2026, 0, 2));
});

test.serial('the newest results stay, also if runs follow each other faster or slower', async (t) => {
  const { schedules } = api().deps;
  const id = 'f'.repeat(32);
  const result = { number: 1, blockNumber: 1, blockHash: '0x', columns: [], rows: [], rowCount: 0, error: '' };
  const first = Date.now() - 24 * hourMs;
  const runs = Array.from({ length: keptResults + 5 }, (_, i) => first + (i < 60 ? i * 60_000 : (i - 30) * 120_000));
  for (const runMs of runs) await schedules.addResult(id, { ...result, runMs });
  await schedules.addResult(id, { ...result, runMs: runs.at(-1)!, rowCount: 7 });
  const kept = await schedules.results(id, keptResults + 5);
  t.deepEqual(
    kept.map(({ runMs }) => runMs),
    runs.slice(5).reverse(),
  );
  t.is(kept[0]!.rowCount, 7, 'a repeated run replaces its result');
});

test.serial('the identities of one network share a fifth of all schedules', async (t) => {
  const { schedules } = api().deps;
  const runs = { everyMinutes: 44_640, url: '' };
  const set = (i: number, address: string) => schedules.set(`query-${i}`, `owner-${Math.floor(i / 10)}`, address, runs);
  for (let i = 0; i < 100; i++) await set(i, `203.0.113.${i}`);
  await t.throwsAsync(set(100, '203.0.113.7'), { message: /a network may have at most 100 schedules/ });
  t.is((await set(99, '203.0.113.8')).queryId, 'query-99', 'a schedule of the network can be changed');
  t.truthy(await set(100, '198.51.100.1'), 'another network');
  for (const schedule of await schedules.list()) await schedules.remove(schedule);
});
