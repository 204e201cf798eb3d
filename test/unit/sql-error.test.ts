import test from 'ava';
import { sqlProblem } from '#api/read/sql/sql-error.ts';
import type { ApiProblem } from '#api/terms/errors.ts';
import { UserSqlError } from '#sql/user-database.ts';

test('a query for which the database ended is not repeated, others are', (t) => {
  const getCode = (error: unknown, ranMs: number) => (sqlProblem(error, ranMs) as ApiProblem).code;
  const broken = new Error('socket hang up');
  t.is(getCode(broken, 25_000), 'bad_query');
  t.is(getCode(broken, 3_000), 'store_unavailable');
  t.is(getCode(broken, Number.NEGATIVE_INFINITY), 'store_unavailable', 'it had not begun');
  t.is(getCode(new UserSqlError('209', 'no connection'), 25_000), 'store_unavailable');
});
