import { getFirst, getLast } from '#runtime/lists.ts';
import type { ChainState } from '#sql/snapshot.ts';
import { nextBucket, type Resolution } from '../../terms/buckets.ts';
import type { TradeDeps } from '../market/trades.ts';
import type { SupplySeriesDeps } from '../supply/supply-series.ts';
import type { SenderReturns } from './sender-returns.ts';

export interface ChartDeps extends TradeDeps, SupplySeriesDeps {
  readonly senderReturns: SenderReturns;
  readonly settings: TradeDeps['settings'] & SupplySeriesDeps['settings'];
}

export type SubjectKind = 'validator' | 'method' | 'token' | 'address';

export interface SeriesRequest {
  readonly deps: ChartDeps;
  readonly state: ChainState;
  readonly resolution: Resolution;
  /** Starts of the buckets, Unix seconds, oldest first; at least one. */
  readonly starts: readonly number[];
  readonly headTime: number;
  /** An address, or a method id padded with zeros, as 40 hex digits; empty if the chart has no subject. */
  readonly subject: string;
}

export const lastSecond = ({ resolution, starts }: Pick<SeriesRequest, 'resolution' | 'starts'>): number =>
  nextBucket(resolution, getLast(starts)) - 1;

/** Returns the window of the request in Unix seconds, both ends inclusive. */
export const requestWindow = (request: SeriesRequest) => ({ from: getFirst(request.starts), to: lastSecond(request) });

/** Computes values by bucket start. A missing bucket counts as 0 for a flow, as null for a rate. */
export type OwnSeries = (request: SeriesRequest) => Promise<ReadonlyMap<number, string | null>>;
