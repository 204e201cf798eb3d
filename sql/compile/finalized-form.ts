/**
 * Halves the planning time of statements that need only finalized blocks. The condition `visible` also reads one
 * partition per unfinalized block; `visible_finalized` does not.
 */

import type { Parameters } from '../parameters.ts';
import { includeFragments } from './load-sql.ts';
import { placeholders, type Statement } from './statements.ts';

const [visible, visibleFinalized] = [includeFragments('{{visible}}'), includeFragments('{{visible_finalized}}')];

const forms = new WeakMap<Statement, Statement>();

/**
 * Returns the faster form of a statement, unless unfinalized blocks are requested or older blocks are not stored yet.
 */
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
