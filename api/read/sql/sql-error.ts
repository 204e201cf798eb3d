import { stuckCode, UserSqlError } from '#sql/user-database.ts';
import { ApiProblem } from '../../terms/errors.ts';

/** By error code of the database. @source ClickHouse src/Common/ErrorCodes.cpp */
const meanings: Readonly<Record<string, string>> = {
  '158': 'it reads too many rows: use the fast filters that /api/v1/sql/views lists',
  '159': 'it takes too long: read fewer rows, or use a chart of /api/v1/stats',
  '241': 'it needs too much memory: group by fewer keys, or join fewer rows',
  '307': 'it reads too many bytes: name fewer columns, or filter more',
  '394': 'it was cancelled',
  '396': 'its result is too large: add LIMIT, or use the formats csv, parquet or arrow',
  [stuckCode]: 'it did not end at its time limit: call functions with shorter arrays and texts',
  '497': 'it may read only the views of /api/v1/sql/views; functions that access other data are not accepted',
};

/** Temporary errors: too many queries, or no connection. */
const passing = new Set(['202', '209', '210', '999']);

/**
 * Returns whether the entire database lacks memory, which is not an error of the query.
 * @source ClickHouse src/Common/MemoryTracker.cpp
 */
const isOfAll = ({ code, message }: UserSqlError) => code === '241' && /\(total\)/i.test(message);

/** Converts an error of a client's query. Clients may see database messages: they contain no host or file. */
export function sqlProblem(error: unknown): unknown {
  if (error instanceof ApiProblem) return error;
  if (!(error instanceof UserSqlError) || passing.has(error.code) || isOfAll(error))
    return new ApiProblem('store_unavailable', 'the database did not answer the query: try again later');
  const meaning = meanings[error.code];
  if (meaning !== undefined) return new ApiProblem('bad_query', `the query was stopped: ${meaning}`);
  const text = error.message.replace(/ \(version [^)]*\)/, '').trim();
  return new ApiProblem('bad_query', `the database rejects the query: ${text}`, { databaseCode: Number(error.code) });
}
