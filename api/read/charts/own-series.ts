/** What charts are given that have a way of their own to their values, apart from the figures that all others share. */
import { firstOf, lastOf } from '#runtime/lists.ts';
import type { ChainState } from '#sql/snapshot.ts';
import { nextBucket, type Resolution } from '../../terms/buckets.ts';
import type { TradeDeps } from '../market/trades.ts';
import type { SupplySeriesDeps } from '../supply/supply-series.ts';
import type { SenderReturns } from './sender-returns.ts';

/** What charts are drawn from. */
export interface ChartDeps extends TradeDeps, SupplySeriesDeps {
  readonly senderReturns: SenderReturns;
  readonly settings: TradeDeps['settings'] & SupplySeriesDeps['settings'];
}

/** What a chart may be about one of. */
export type SubjectKind = 'validator' | 'method' | 'token' | 'address';

export interface SeriesRequest {
  readonly deps: ChartDeps;
  readonly state: ChainState;
  readonly resolution: Resolution;
  /** Starts of all buckets asked for, Unix seconds, oldest first; at least one. */
  readonly starts: readonly number[];
  /** Time of the head, Unix seconds. */
  readonly headTime: number;
  /** 40 hex digits, of charts with a subject: an address, or a method id with zeros behind it. */
  readonly subject: string;
}

/** End of the last bucket that is asked for, Unix seconds, inclusive. */
export const lastMoment = ({ resolution, starts }: Pick<SeriesRequest, 'resolution' | 'starts'>): number =>
  nextBucket(resolution, lastOf(starts)) - 1;

/** From the first to the last moment of what is asked for, Unix seconds, both inclusive. */
export const windowOf = (request: SeriesRequest) => ({ from: firstOf(request.starts), to: lastMoment(request) });

/** Values by start of their bucket; a bucket that is not in the map has none: 0 of a flow, null of a rate. */
export type OwnSeries = (request: SeriesRequest) => Promise<ReadonlyMap<number, string | null>>;
