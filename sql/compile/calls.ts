/**
 * From a statement's name to what the database is sent. The passes in their order: fragments are put in (load-sql.ts), the head
 * is read (statements.ts), once a process; then for each call conditions that are not asked for go (conditions.ts), rows are
 * looked for among settled blocks alone where that is enough (finalized-form.ts), the claim of a worker is put in (fence.ts), and
 * the whole is turned into statements of a cluster where there is one (cluster.ts).
 */

import type { Parameters } from '../parameters.ts';
import type { StatementName } from '../statements.gen.ts';
import { callsOnCluster, readOnCluster } from './cluster.ts';
import { withConditions } from './conditions.ts';
import { type Fence, fenceStatement } from './fence.ts';
import { inFinalizedForm } from './finalized-form.ts';
import { getStatement, loadStatements, type Statement, type Statements } from './statements.ts';

let own: Statements | undefined;

/** A statement of the program, whose files are read once. @param asked its conditions; undefined: it has none */
export function statementOf(named: Statement | StatementName, asked?: readonly string[]): Statement {
  if (typeof named !== 'string') return named;
  own ??= loadStatements();
  const statement = getStatement(own, named);
  return asked ? withConditions(statement, asked) : statement;
}

/** A statement that gives rows, as it is sent with these parameters. @param cluster undefined: one server */
export function readingCall(whole: Statement, parameters: Parameters, cluster: string | undefined): Statement {
  const statement = inFinalizedForm(whole, parameters);
  return cluster === undefined ? statement : { ...statement, sql: readOnCluster(statement.sql, cluster) };
}

/** What is sent of a statement that gives no rows: under a fence with its claim in it, on a cluster maybe several calls. */
export function writingCalls(
  sql: string,
  parameters: Record<string, unknown>,
  { fence, cluster }: { fence: Fence | undefined; cluster: string | undefined },
): { sql: string; parameters: Record<string, unknown> }[] {
  const fenced = fence ? fenceStatement(sql) : sql;
  return cluster === undefined ? [{ sql: fenced, parameters }] : callsOnCluster(fenced, parameters, cluster);
}
