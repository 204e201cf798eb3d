import test from 'ava';
import { StuckQueries } from '#api/read/sql/stuck-queries.ts';
import type { ApiProblem } from '#api/terms/errors.ts';
import { stuckCode, type UserCall, type UserDatabase, UserSqlError } from '#sql/user-database.ts';

const minuteMs = 60_000;

function startClock() {
  const clock = { ms: 1_000_000_000_000 };
  return { clock, queries: new StuckQueries(() => clock.ms) };
}

const getWait = (queries: StuckQueries, from: Parameters<StuckQueries['add']>[0]): number => {
  try {
    queries.assertAccepted(from);
    return 0;
  } catch (error) {
    return ((error as ApiProblem).details as { retryAfterSeconds: number }).retryAfterSeconds;
  }
};

test('a caller and its network wait after a stuck query, twice as long after each further one', (t) => {
  const { clock, queries } = startClock();
  const from = { caller: 'a', address: '203.0.113.5' };
  t.is(getWait(queries, from), 0);
  queries.add(from);
  t.is(getWait(queries, from), 600);
  t.is(getWait(queries, { caller: 'another key', address: '203.0.113.77' }), 600);
  t.is(getWait(queries, { caller: 'b', address: '198.51.100.1' }), 0);
  clock.ms += 10 * minuteMs;
  t.is(getWait(queries, from), 0);
  queries.add(from);
  t.is(getWait(queries, from), 1_200);
});

test('queries that waited while another one of the caller got stuck do not run', async (t) => {
  const { queries } = startClock();
  let streams = 0;
  const database = {
    stream: async () => {
      streams++;
      throw new UserSqlError(stuckCode, 'stuck');
    },
  } as unknown as UserDatabase;
  const waiting = Array.from({ length: 4 }, () => queries.guard(database, { caller: 'a' }));
  for (const { stream } of waiting) await t.throwsAsync(stream({} as UserCall));
  t.is(streams, 1);
  t.is(getWait(queries, { caller: 'a' }), 600);
});

test('nobody queries for the rest of an hour with four stuck queries of any callers', (t) => {
  const { clock, queries } = startClock();
  for (const caller of ['a', 'b', 'c']) {
    queries.add({ caller });
    clock.ms += minuteMs;
  }
  t.is(getWait(queries, { caller: 'other' }), 0);
  queries.add({ caller: 'd' });
  t.is(getWait(queries, { caller: 'other' }), 57 * 60);
  clock.ms += 57 * minuteMs;
  t.is(getWait(queries, { caller: 'other' }), 0);
});
