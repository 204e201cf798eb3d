import { getFirst, getLast } from '#runtime/lists.ts';
import { nextBucket } from '../../terms/buckets.ts';
import type { TradeDeps } from '../market/trades.ts';
import { readLabelledAddresses } from '../registry/labelled-addresses.ts';
import type { SourceDeps } from '../registry/source-reader.ts';
import type { SupplySeriesDeps } from '../supply/supply-series.ts';
import type { QueryCharts } from './query-charts.ts';
import type { SenderReturns } from './sender-returns.ts';
import type { ChartWindow } from './window-buckets.ts';

export interface ChartDeps extends TradeDeps, SupplySeriesDeps, SourceDeps {
  readonly senderReturns: SenderReturns;
  readonly queryCharts: QueryCharts;
  readonly settings: TradeDeps['settings'] & SupplySeriesDeps['settings'];
}

export type SubjectKind = 'validator' | 'method' | 'token' | 'address' | 'pool';

export interface SeriesRequest extends ChartWindow {
  readonly deps: ChartDeps;
  readonly subject: string;
}

export const lastSecond = ({ resolution, starts }: Pick<SeriesRequest, 'resolution' | 'starts'>): number =>
  nextBucket(resolution, getLast(starts)) - 1;

export const requestWindow = (request: SeriesRequest) => ({ from: getFirst(request.starts), to: lastSecond(request) });

/**
 * Computes chart values by bucket start. A missing bucket is null in `rate` charts, else 0.
 * @returns undefined if no value is known, for example because a document is missing
 */
export type OwnSeries = (request: SeriesRequest) => Promise<Values | undefined>;
export type Values = ReadonlyMap<number, string | null>;

/** Returns the addresses of a registry category, 40 hex digits each; undefined before the first registry manifest. */
export async function addressesOfCategory(deps: ChartDeps, category: string): Promise<string[] | undefined> {
  const manifest = await deps.sources.current('registry_manifest');
  return manifest?.sha256 === undefined ? undefined : readLabelledAddresses(deps, 'category', category);
}
