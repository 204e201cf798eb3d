/**
 * Removes optional conditions that a call does not use: planning them takes longer than running them. An optional
 * condition is between `/*?name:*\/` and `/*?;*\/`.
 */
import { placeholders, type Statement } from './statements.ts';

const variants = new WeakMap<Statement, Map<string, Statement>>();
const marks = /\/\*\?(?:(\w+):|;)\*\//g;

export function withConditions(statement: Statement, asked: readonly string[]): Statement {
  const known = variants.get(statement) ?? new Map<string, Statement>();
  variants.set(statement, known);
  const key = [...asked].sort().join(' ');
  const made = known.get(key);
  if (made) return made;
  const sql = keepAsked(statement.sql, new Set(asked));
  const variant = { ...statement, sql, parameters: placeholders(sql) };
  known.set(key, variant);
  return variant;
}

function keepAsked(sql: string, asked: ReadonlySet<string>): string {
  const open: boolean[] = [];
  let kept = '';
  let at = 0;
  for (const mark of sql.matchAll(marks)) {
    if (open.every(Boolean)) kept += sql.slice(at, mark.index);
    at = mark.index + mark[0].length;
    if (mark[1] !== undefined) open.push(asked.has(mark[1]));
    else if (open.pop() === undefined) throw new Error('an optional condition has an end mark without a start mark');
  }
  if (open.length > 0) throw new Error('an optional condition of a SQL file has no end mark');
  return kept + sql.slice(at);
}
