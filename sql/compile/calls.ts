import type { Parameters } from '../parameters.ts';
import type { StatementName } from '../statements.gen.ts';
import { callsOnCluster, readOnCluster } from './cluster.ts';
import { withConditions } from './conditions.ts';
import { type Fence, fenceStatement } from './fence.ts';
import { inFinalizedForm } from './finalized-form.ts';
import { getStatement, loadStatements, type Statement, type Statements } from './statements.ts';

let own: Statements | undefined;

export function resolveStatement(named: Statement | StatementName, asked?: readonly string[]): Statement {
  if (typeof named !== 'string') return named;
  own ??= loadStatements();
  const statement = getStatement(own, named);
  return asked ? withConditions(statement, asked) : statement;
}

export function readingCall(whole: Statement, parameters: Parameters, cluster: string | undefined): Statement {
  const statement = inFinalizedForm(whole, parameters);
  return cluster === undefined ? statement : { ...statement, sql: readOnCluster(statement.sql, cluster) };
}

/** Returns the statements of a write; on a cluster, there can be several. */
export function writingCalls(
  sql: string,
  parameters: Record<string, unknown>,
  { fence, cluster }: { fence: Fence | undefined; cluster: string | undefined },
): { sql: string; parameters: Record<string, unknown> }[] {
  const fenced = fence ? fenceStatement(sql) : sql;
  return cluster === undefined ? [{ sql: fenced, parameters }] : callsOnCluster(fenced, parameters, cluster);
}
