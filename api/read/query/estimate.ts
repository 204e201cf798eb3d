import type { Database } from '#sql/client.ts';
import { resolveStatement } from '#sql/compile/calls.ts';
import { exceedsTime, StoreError } from '#sql/store-error.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { measureRules } from './figures.ts';
import type { RowSelection } from './select-rows.ts';
import type { QueryDeps, StatsQuery } from './stats-query.ts';

/** Cost factors per row. Counting or adding a row costs 1. */
const costs = { ranks: 4, distinct: 3, new: 4, grouped: 2, input: 8 } as const;

/**
 * Returns the number of rows to read times the cost per row.
 * @throws ApiProblem bad_query above `queryMaxRows`, with advice for a cheaper query
 */
export async function assertAffordable(
  { database, settings }: QueryDeps,
  query: StatsQuery,
  selections: readonly RowSelection[],
): Promise<number> {
  const estimates = await Promise.all(selections.map((selection) => estimateRows(database, selection))).catch(
    (error: unknown) => {
      if (!(error instanceof StoreError && exceedsTime(error))) throw error;
      const advice = advise(query, 0.1);
      throw new ApiProblem('bad_query', `the rows of the query can't be counted in ${estimateSeconds} s: ${advice}`);
    },
  );
  const rows = estimates.reduce((sum, estimate) => sum + estimate, 0);
  const cost = selections.reduce((sum, selection, i) => sum + (estimates[i] ?? 0) * computeCost(query, selection), 0);
  const most = settings.queryMaxRows;
  if (cost <= most) return cost;
  throw new ApiProblem(
    'bad_query',
    `the query costs ${cost} (about ${rows} rows), the maximum is ${most}: ${advise(query, most / cost)}`,
    { estimatedRows: rows, cost, maxCost: most },
  );
}

/** Maximum time of an estimate. It takes time, because the database runs the subqueries that select positions. */
const estimateSeconds = 5;

async function estimateRows(database: Database, { statement, asked, parameters }: RowSelection): Promise<number> {
  const { sql, budget, ...rest } = resolveStatement(statement, asked);
  const limited = { ...budget, maxSeconds: Math.min(budget.maxSeconds, estimateSeconds) };
  const explained = { ...rest, name: 'estimate_query', sql: `EXPLAIN ESTIMATE ${sql}`, budget: limited };
  const rows = await database.read<{ rows: string }>(explained, parameters);
  return rows.reduce((sum, row) => sum + Number(row.rows), 0);
}

function computeCost({ measure, field, groupBy }: StatsQuery, { statement, asked }: RowSelection): number {
  const asks: readonly string[] = measure === 'share' ? [] : measureRules[measure].asks;
  const factors = [
    asks.includes('ranks') ? costs.ranks : 1,
    asks.includes('distinct') ? costs.distinct : 1,
    asks.includes('new') ? costs.new : 1,
    groupBy.length > 0 ? costs.grouped : 1,
    // the method id is read from the call data, the largest column
    statement === 'query_transactions' && (asked.includes('methods') || [...groupBy, field].includes('method'))
      ? costs.input
      : 1,
  ];
  return factors.reduce((product, factor) => product * factor, 1);
}

export function advise({ of, filters, measure, isCumulative }: StatsQuery, share: number): string {
  const advice = [`narrow from and to to about ${Math.max(1, Math.floor(100 * share))} % of the time range`];
  if (measure === 'new' || isCumulative)
    advice[0] = 'use another measure, because new and running totals read all earlier blocks';
  if (/transactions|coin|native/.test(of) && !filters.account) advice.push('filter by account, sender or recipient');
  if ((of === 'token_transfers' || of === 'nft_trades') && !filters.token) advice.push('filter by token or account');
  if (of === 'logs' && !filters.contract) advice.push('filter by contract');
  return `${advice.join(', or ')}; or use one of /api/v1/stats/charts`;
}
