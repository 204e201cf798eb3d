import type { RowOf } from '#sql/statement-types.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { quotient, ratio } from '../charts/decimals.ts';
import type { DatasetName, Measure } from './datasets.ts';
import type { QueryStatement } from './select-rows.ts';

/** Has only the requested columns. */
export type FigureRow = RowOf<QueryStatement>;

interface MeasureRule {
  /** Optional parts of the statement. */
  readonly asks: readonly ('sum' | 'averaged' | 'extremes' | 'ranks' | 'distinct' | 'new')[];
  /** Groups are ranked by this column. */
  readonly rank: string;
  /** Value of an empty time bucket: 0 if true, else null. */
  readonly isCount: boolean;
  readonly value: (row: FigureRow) => string | null;
}

/** Decimal places of averages and shares. */
const digits = 6;

const rank = (name: 'p50' | 'p90' | 'p99'): MeasureRule => ({
  asks: ['ranks'],
  rank: name,
  isCount: false,
  value: (row) => row[name],
});
const counted: MeasureRule = { asks: [], rank: 'row_count', isCount: true, value: (row) => row.row_count };

export const measureRules: Readonly<Record<Exclude<Measure, 'share'>, MeasureRule>> = {
  count: counted,
  sum: { asks: ['sum'], rank: 'total', isCount: true, value: (row) => row.total ?? '0' },
  average: {
    asks: ['sum', 'averaged'],
    rank: 'mean',
    isCount: false,
    value: (row) =>
      Number(row.amount_count) === 0 ? null : quotient(BigInt(row.total), BigInt(row.amount_count), digits),
  },
  min: { asks: ['extremes'], rank: 'lowest', isCount: false, value: (row) => row.lowest },
  max: { asks: ['extremes'], rank: 'highest', isCount: false, value: (row) => row.highest },
  p50: rank('p50'),
  p90: rank('p90'),
  p99: rank('p99'),
  distinct: { asks: ['distinct'], rank: 'subject_count', isCount: true, value: (row) => row.subject_count },
  new: { ...counted, asks: ['new'] },
};

/** Returns null if `whole` is 0 or unknown. */
export function divideShare(part: string | null | undefined, whole: string | null | undefined): string | null {
  return ratio(BigInt(part ?? 0), BigInt(whole ?? 0), digits);
}

/** Returns whether sums can exceed 2^256: false token transfers have such amounts. */
export const mayOverflow = (of: DatasetName, measure: Exclude<Measure, 'share'>): boolean =>
  of === 'token_transfers' && measureRules[measure].asks.includes('sum');

/** @throws ApiProblem bad_query if a sum exceeds uint256 */
export function assertNoOverflow({ rough_total }: FigureRow): void {
  if (rough_total === undefined || rough_total < maxSum) return;
  throw new ApiProblem(
    'bad_query',
    'the sum exceeds 2^256 because of false transfer events: set maxValue to exclude them',
  );
}

/** Below 2^256 by more than the rounding error of `rough_total`. */
const maxSum = 0.999 * 2 ** 256;
