/**
 * Third pass: takes a statement and the names of conditions, gives it with no others: planning each one takes the engine longer
 * than running it. In the SQL text such a part stands between `/*?name:*\/` and `/*?;*\/`, nested at will; with all of them
 * the statement is whole.
 */
import { placeholders, type Statement } from './statements.ts';

const variants = new WeakMap<Statement, Map<string, Statement>>();
const marks = /\/\*\?(?:(\w+):|;)\*\//g;

/** The statement with the parts of these names alone, kept for the next time. */
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

/** @throws Error where a mark has no partner: a fault of the program */
function keepAsked(sql: string, asked: ReadonlySet<string>): string {
  const open: boolean[] = [];
  let kept = '';
  let at = 0;
  for (const mark of sql.matchAll(marks)) {
    if (open.every(Boolean)) kept += sql.slice(at, mark.index);
    at = mark.index + mark[0].length;
    if (mark[1] !== undefined) open.push(asked.has(mark[1]));
    else if (open.pop() === undefined) throw new Error('a condition ends that never began');
  }
  if (open.length > 0) throw new Error('a condition never ends');
  return kept + sql.slice(at);
}
