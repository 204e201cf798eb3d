/**
 * Fourth pass: takes a statement that reads and its parameters, gives it in a form that is planned in half of the time where
 * they are about settled blocks alone: what is not settled lies in a partition a block, and the condition of the fragment
 * `visible` makes the engine look at each of them.
 */

import type { Parameters } from '../parameters.ts';
import { includeFragments } from './load-sql.ts';
import { placeholders, type Statement } from './statements.ts';

const [visible, visibleFinalized] = [includeFragments('{{visible}}'), includeFragments('{{visible_finalized}}')];

const forms = new WeakMap<Statement, Statement>();

/** @returns the statement as it is, where its parameters let it see a block that is not settled, or a gap */
export function inFinalizedForm(statement: Statement, parameters: Parameters): Statement {
  const { head, finalized, backfilled_before, follow_from } = parameters;
  if (head === undefined || head !== finalized || Number(backfilled_before) < Number(follow_from)) return statement;
  const known = forms.get(statement);
  if (known) return known;
  const sql = statement.sql.replaceAll(visible, visibleFinalized);
  const form = { ...statement, sql, parameters: placeholders(sql) };
  forms.set(statement, form);
  return form;
}
