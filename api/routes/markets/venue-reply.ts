import { z } from 'zod';
import { isoTimeFromMs } from '#chain/codec/iso-time.ts';
import { known } from '#runtime/known.ts';
import { getFirst } from '#runtime/lists.ts';
import { ratio } from '../../read/charts/decimals.ts';
import { bookScale, computeMid, scaled } from '../../read/market/feed/order-book.ts';
import { type Refusal, refusals } from '../../read/market/feed/refusal.ts';
import type { MarketSettings, Venue, Venues } from '../../read/market/venues.ts';
import { Count, IsoTime } from '../../terms/primitives.ts';

const Decimal = z.string().regex(/^\d+(\.\d+)?$/);
const BookLevel = z.tuple([Decimal, Decimal]).meta({ description: 'Price and size of one level of an order book' });
const FeedRefusal = z.enum(Object.keys(refusals) as [Refusal, ...Refusal[]]);

const summary = {
  id: z.string(),
  venue: z.string(),
  pair: z.string(),
  venueKind: z.literal('cex'),
  feedUrl: z.string(),
  adapter: z.string().meta({ description: 'Format of the order-book feed, detected when the feed was tested' }),
  enabled: z.literal(true),
  mid: Decimal.nullable().meta({
    description: 'Midpoint between best bid and best ask of this venue; the canonical price does not include it',
  }),
  spreadBps: Decimal.nullable().meta({ description: 'Best ask minus best bid, in basis points of the midpoint' }),
  bookTime: IsoTime.nullable().meta({
    description: 'Time of the order book that was read last; null if no order book was read yet',
  }),
  ageSeconds: z.number().nullable(),
  unchangedSeconds: z
    .number()
    .nullable()
    .meta({ description: 'Seconds since this service first read the current order book' }),
  stale: z.boolean().meta({
    description:
      'True if the last reading is old, or the order book did not change between readings for an hour: trading may have stopped',
  }),
  lastFault: FeedRefusal.nullable().meta({
    description: 'Reason why the last read of the order-book feed failed; null if the read succeeded',
  }),
  createdAt: IsoTime,
};

export const VenueSummary = z.strictObject(summary).meta({ id: 'VenueSummary' });

export const VenueDetail = z
  .strictObject({
    ...summary,
    book: z
      .strictObject({ bids: z.array(BookLevel), asks: z.array(BookLevel), depthCap: Count, ts: IsoTime })
      .nullable(),
  })
  .meta({ id: 'Venue' });

export interface FeedDeps {
  readonly venues: Venues;
  readonly settings: { readonly markets: Pick<MarketSettings, 'depthCap' | 'staleSeconds'> };
}

const digits = 12;
/**
 * Time without a change in repeated readings after which an order book is stale, s. Even quiet markets change more
 * often.
 */
const maxUnchangedSeconds = 3_600;

export function venueSummary(deps: FeedDeps, venue: Venue): z.input<typeof VenueSummary> {
  const { book, readAtMs, changedAtMs, fault } = deps.venues.getFeed(venue);
  const [ageSeconds, unchangedSeconds] = [countSecondsSince(readAtMs), countSecondsSince(changedAtMs)];
  const stoodStillSeconds = ((readAtMs ?? 0) - (changedAtMs ?? 0)) / 1_000;
  const mid = book && computeMid(book);
  const spread = book && scaled(getFirst(book.asks)[0]) - scaled(getFirst(book.bids)[0]);
  return {
    id: venue.id,
    venue: venue.venue,
    pair: venue.pair,
    venueKind: 'cex',
    feedUrl: venue.feedUrl,
    adapter: venue.adapter,
    enabled: true,
    mid: mid === undefined ? null : ratio(mid, bookScale, digits),
    spreadBps: mid && spread !== undefined ? ratio(spread * 10_000n, mid, 2) : null,
    bookTime: readAtMs === undefined ? null : isoTimeFromMs(readAtMs),
    ageSeconds,
    unchangedSeconds,
    stale: isStale(deps, ageSeconds) || stoodStillSeconds > maxUnchangedSeconds,
    lastFault: fault ?? null,
    createdAt: isoTimeFromMs(venue.createdMs),
  };
}

export function venueDetail(deps: FeedDeps, venue: Venue): z.input<typeof VenueDetail> {
  const { book, readAtMs } = deps.venues.getFeed(venue);
  const levels = (side: readonly (readonly [string, string])[]) =>
    side.map(([price, size]) => [price, size] as [string, string]);
  return {
    ...venueSummary(deps, venue),
    book: book
      ? {
          bids: levels(book.bids),
          asks: levels(book.asks),
          depthCap: deps.settings.markets.depthCap,
          ts: isoTimeFromMs(known(readAtMs, 'time of an order book')),
        }
      : null,
  };
}

const countSecondsSince = (ms: number | undefined) => (ms === undefined ? null : Math.max(0, Date.now() - ms) / 1_000);

const isStale = ({ settings }: FeedDeps, ageSeconds: number | null) =>
  ageSeconds === null || ageSeconds > settings.markets.staleSeconds;
