import test from 'ava';
import { sqlProblem } from '#api/read/sql/sql-error.ts';
import type { ApiProblem } from '#api/terms/errors.ts';
import { stuckCode, UserSqlError } from '#sql/user-database.ts';

test('a query for which the engine restarted is not repeated, one without a connection is', (t) => {
  const getCode = (error: unknown) => (sqlProblem(error) as ApiProblem).code;
  t.is(getCode(new UserSqlError(stuckCode, 'stuck')), 'bad_query');
  t.is(getCode(new Error('socket hang up')), 'store_unavailable');
  t.is(getCode(new UserSqlError('209', 'no connection')), 'store_unavailable');
});
