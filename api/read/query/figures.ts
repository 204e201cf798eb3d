/** Turns the rows of a query into values of its measure. */
import type { RowOf } from '#sql/statement-types.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { quotient, ratio } from '../charts/decimals.ts';
import type { Measure } from './datasets.ts';
import type { QueryStatement } from './select-rows.ts';

/** A row has only the figures that were asked for. */
export type FigureRow = RowOf<QueryStatement>;

interface MeasureRule {
  /** Optional parts of the statement. */
  readonly asks: readonly ('sum' | 'extremes' | 'ranks' | 'distinct' | 'new')[];
  /** Column of the statement that ranks groups. */
  readonly rank: string;
  /** Whether an empty time bucket has the value 0; else it has none. */
  readonly isCount: boolean;
  readonly value: (row: FigureRow) => string | null;
}

/** Digits after the point of averages and shares. */
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
    asks: ['sum'],
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

/** Returns part / whole of two counts or sums; null if the whole is 0 or unknown. */
export function shareOf(part: string | null | undefined, whole: string | null | undefined): string | null {
  return ratio(BigInt(part ?? 0), BigInt(whole ?? 0), digits);
}

/** @throws ApiProblem bad_query when a sum is too large for a uint256 */
export function assertNoOverflow({ rough_total }: FigureRow): void {
  if (rough_total === undefined || rough_total < maxSum) return;
  throw new ApiProblem(
    'bad_query',
    'the sum exceeds 2^256, because of false transfer events: set maxValue to leave them out',
  );
}

/** Below 2^256 by more than the error of a rough sum. */
const maxSum = 0.999 * 2 ** 256;
