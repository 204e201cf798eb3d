import test from 'ava';
import { QueryCharts } from '#api/read/charts/query-charts.ts';
import { chargeCost, freeCost, type QueryCaller, QueryTurns } from '#api/read/query/query-turns.ts';
import { RunningQueries } from '#api/read/sql/running-queries.ts';
import { readUserStatement } from '#api/read/sql/user-statement.ts';
import type { ChainState } from '#sql/snapshot.ts';

test('expensive queries run one at a time, cheap ones at once, and no caller queues many', async (t) => {
  const turns = new QueryTurns();
  let running = 0;
  let most = 0;
  const ends: (() => void)[] = [];
  const query = async () => {
    most = Math.max(most, ++running);
    await new Promise<void>((resolve) => ends.push(resolve));
    running--;
  };
  const expensive = ['a', 'a', 'a', 'a', 'b'].map((caller) => turns.run({ caller }, freeCost + 1, query));
  await t.throwsAsync(turns.run({ caller: 'a' }, freeCost + 1, query), {
    message: /4 of your expensive queries are running/,
  });
  t.is(await turns.run({ caller: 'a' }, freeCost, async () => 'cheap'), 'cheap');
  for (const done of expensive) {
    while (ends.length === 0) await new Promise((resolve) => setImmediate(resolve));
    ends.shift()?.();
    await done;
  }
  t.is(most, 1);
  const failing = turns.run({ caller: 'a' }, freeCost + 1, () => Promise.reject(new Error('a fault')));
  await t.throwsAsync(failing, { message: 'a fault' });
  t.is(await turns.run({ caller: 'a' }, freeCost + 1, async () => 'next'), 'next');
  const many = Array.from({ length: 16 }, (_, i) => turns.run({ caller: `caller ${i}` }, freeCost + 1, query));
  await t.throwsAsync(turns.run({ caller: 'late' }, freeCost + 1, query), { message: /many expensive queries/ });
  const release = setInterval(() => ends.shift()?.(), 1);
  await Promise.all(many);
  const near = (i: number) => ({ caller: `caller ${i}`, address: `2a00:1:2:${i}::1` });
  const ofNetwork = Array.from({ length: 8 }, (_, i) => turns.run(near(i), freeCost + 1, query));
  const ninth = turns.run(near(9), freeCost + 1, query);
  await t.throwsAsync(ninth, { message: /8 expensive queries of your network/ });
  await Promise.all([...ofNetwork, turns.run({ caller: 'other', address: '2a00:1:3::1' }, freeCost + 1, query)]);
  clearInterval(release);
});

test('the cost of a query is charged in whole requests, and refused beyond the rate limit', async (t) => {
  const charged: number[] = [];
  const charge = async (requests: number) => {
    charged.push(requests);
    return requests < 3;
  };
  const payer = { caller: 'a', charge };
  await chargeCost(payer, 999_999);
  await chargeCost(payer, 2_500_000);
  t.deepEqual(charged, [2], 'a cheap query costs no more than its request');
  await t.throwsAsync(chargeCost(payer, 3_000_000), { message: /this query costs 3/ });
});

test('a caller pays for the charts that it reads, and waits in its own places', async (t) => {
  const turns = new QueryTurns();
  const cost = freeCost + 1;
  const state = { head: 9 } as ChainState;
  const window = { state, resolution: 'day' as const, starts: [0], headTime: 5 };
  const query = { of: 'logs' as const, measure: 'count' as const };
  let running = 0;
  const queryTurns = Object.assign(Object.create(turns), {
    runEstimate: async () => cost,
    run: (from: QueryCaller) => turns.run(from, cost, () => new Promise(() => running++)),
  });
  const shared = new QueryCharts({ queryTurns } as never);
  const charged: string[] = [];
  const readAs = (caller: string) =>
    shared
      .paidBy({ caller, charge: async (requests) => charged.push(`${caller} ${requests}`) > 0 })
      .read(window, query);
  for (let i = 0; i < 4; i++) readAs('a').catch(() => {});
  const own = { message: /4 of your expensive queries/ };
  await t.throwsAsync(readAs('a'), own);
  readAs('b').catch((error: unknown) => t.fail(String(error)));
  while (charged.length < 6) await new Promise((resolve) => setImmediate(resolve));
  t.deepEqual(charged.slice(4), ['a 2', 'b 2']);
  t.is(running, 1);
});

test('filtered lists run four at a time, two of a caller, and not for a client that has left', async (t) => {
  const turns = new QueryTurns();
  const running: string[] = [];
  const ends: (() => void)[] = [];
  const { signal } = new AbortController();
  const run = (caller: string, gone = signal) =>
    turns.runFiltered({ caller, gone }, async () => {
      running.push(caller);
      await new Promise<void>((resolve) => ends.push(resolve));
    });
  const all = ['a', 'a', 'a', 'b', 'b', 'c'].map((caller) => run(caller));
  while (ends.length < 4) await new Promise((resolve) => setImmediate(resolve));
  t.deepEqual(running.toSorted(), ['a', 'a', 'b', 'b']);
  const left = run('d', AbortSignal.abort());
  const release = setInterval(() => ends.shift()?.(), 1);
  await t.throwsAsync(left, { message: /the client has left/ });
  await Promise.all(all);
  clearInterval(release);
  t.is(running.length, 6);
});

test('identities of one network cannot take all places of SQL', (t) => {
  const running = new RunningQueries();
  const begin = (caller: number, address: string) => running.begin({ caller: `c${caller}`, address }, undefined);
  for (let at = 0; at < 16; at++) begin(at, `203.0.113.${at % 4}`);
  t.throws(() => begin(16, '203.0.113.200'), { message: /many queries are running/ });
  t.notThrows(() => begin(16, '198.51.100.1'));
  for (let at = 0; at < 3; at++) begin(16, '198.51.100.1');
  t.throws(() => begin(16, '198.51.100.1'), { message: /4 of your queries/ });
});

test('a statement reads the events of a limited number of contracts', (t) => {
  const select = (count: number) =>
    Array.from({ length: count }, (_, i) => `SELECT 1 FROM decoded_events_0x${String(i).padStart(40, '0')}`).join(
      ' UNION ALL ',
    );
  t.is(readUserStatement(select(40)).decoded.length, 40);
  t.throws(() => readUserStatement(select(41)), { message: /at most 40 contracts, got 41/ });
});
