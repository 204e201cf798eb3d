/**
 * Statements about settled blocks alone, in a form that is planned in half of the time: what is not settled lies in a partition
 * a block, and the condition of the fragment `visible` makes the engine look at each of them.
 */
import { join } from 'node:path';
import type { Parameters } from './client.ts';
import { loadSql } from './load-sql.ts';
import { placeholders, type Statement } from './statements.ts';

const fragment = (name: string) =>
  loadSql(join(import.meta.dirname, 'fragments', `${name}.sql`))
    .replace(/^--.*\n/gm, '')
    .trimEnd();
const [visible, visibleSettled] = [fragment('visible'), fragment('visible_settled')];

const forms = new WeakMap<Statement, Statement>();

/** @returns the statement as it is, where its parameters let it see a block that is not settled, or a gap */
export function inSettledForm(statement: Statement, parameters: Parameters): Statement {
  const { head, finalized, backfilled_before, follow_from } = parameters;
  if (head === undefined || head !== finalized || Number(backfilled_before) < Number(follow_from)) return statement;
  const known = forms.get(statement);
  if (known) return known;
  const sql = statement.sql.replaceAll(visible, visibleSettled);
  const form = { ...statement, sql, parameters: placeholders(sql) };
  forms.set(statement, form);
  return form;
}
