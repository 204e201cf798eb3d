import type { Resolution } from '../../terms/buckets.ts';
import type { TracedReader } from '../accounts/internal-calls/traced-reader.ts';
import type { CoverageDeps, StoreDeps, TimeDeps } from '../reader-deps.ts';
import type { DatasetName, Measure } from './datasets.ts';
import type { Filters } from './select-rows.ts';

export interface StatsQuery {
  readonly of: DatasetName;
  readonly measure: Measure;
  /** Numeric field to measure, or key whose distinct values are counted. */
  readonly field: string | undefined;
  readonly filters: Filters;
  /** `all`: one value for the complete time range. */
  readonly resolution: Resolution | 'all';
  readonly from: number | undefined;
  readonly to: number | undefined;
  /** At most two. */
  readonly groupBy: readonly string[];
  readonly top: number;
  readonly isCumulative: boolean;
}

export interface QueryDeps extends StoreDeps, TimeDeps, CoverageDeps {
  readonly traced: TracedReader;
  readonly settings: CoverageDeps['settings'] & { readonly queryMaxRows: number };
}
