/** @source docs/economy.md#markets-apiv1markets */
import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { OtherReply } from '../../http/reply.ts';
import { indexInfo } from '../../read/chain/freshness.ts';
import { quotient, ratio } from '../../read/charts/decimals.ts';
import { bookScale, computeDepth, computeMid } from '../../read/market/feed/order-book.ts';
import type { MarketDeps, Venue } from '../../read/market/venues.ts';
import type { StoreDeps } from '../../read/reader-deps.ts';
import { Count, IndexInfo } from '../../terms/primitives.ts';
import { PriceReply, readPriceReply } from './get-price.ts';
import { type FeedDeps, VenueDetail, VenueSummary, venueDetail, venueSummary } from './venue-reply.ts';

const Decimal = z.string().regex(/^\d+(\.\d+)?$/);
const VenueId = z
  .string()
  .regex(/^[a-z0-9-]{1,140}$/, 'must be a venue id (1 to 140 characters of a-z, 0-9 and -)')
  .meta({ description: 'Venue id, as listed by /markets', example: 'exchange-fat-usdt' });

const VenueBody = z.strictObject({
  venue: z
    .string()
    .trim()
    .min(1)
    .max(64)
    .regex(/^[^\p{Cc}\p{Cf}<>]*$/u, 'must be plain text without < and >'),
  pair: z
    .string()
    .max(32)
    .regex(/^[A-Z0-9]+\/[A-Z0-9]+$/, 'must be BASE/QUOTE in capitals, for example FAT/USDT'),
  feedUrl: z.string().min(1).max(2_048),
  venueKind: z.literal('cex'),
});

const Aggregate = z.strictObject({
  vwapMid: Decimal.nullable().meta({
    description:
      'Average of the midpoints of all fresh order books, weighted by the depth of each, USD; null if none has orders near its midpoint',
  }),
  venues: Count.meta({ description: 'Number of venues that have a fresh order book quoted in USD' }),
  depth: Decimal.meta({
    description:
      'Total value of the price levels within 10 % of the midpoint in the order books that are used for the average, USD',
  }),
  source: z.literal('order_book_mid'),
  note: z.string(),
});

const note = 'The canonical price does not include the midpoints of order books';

export const listMarkets = defineRoute({
  id: 'listMarkets',
  base: '/api/v1',
  path: '/markets',
  methods: ['get'],
  tag: 'markets',
  summary: 'List of venues (exchanges) that trade the native coin',
  description:
    'Returns all venues, the average price of the centralized ones, and the canonical price from decentralized exchanges.',
  params: z.object({}),
  query: z.object({}),
  response: z
    .strictObject({
      venues: z.array(VenueSummary),
      total: Count,
      centralised: Aggregate,
      canonical: PriceReply.nullable().meta({
        description: 'null with START_BLOCK: reserves of pools are unknown then',
      }),
      index: IndexInfo,
    })
    .meta({ id: 'Markets' }),
  errors: ['indexing', 'store_unavailable'],
  maxAgeSeconds: 0,
  example: '/markets',
  handle: async (deps: MarketDeps) => {
    const venues = (await deps.venues.list(deps)).map((venue) => ({ venue, summary: venueSummary(deps, venue) }));
    const centralised = aggregate(
      deps,
      venues.flatMap(({ venue, summary }) => (summary.stale ? [] : venue)),
    );
    const items = venues.map(({ summary }) => summary);
    return deps.snapshots.run(async (state) => {
      const index = indexInfo(deps, state);
      const canonical = state.startBlock > 0 ? null : await readPriceReply(deps, state);
      return { venues: items, total: items.length, centralised, canonical, index };
    });
  },
});

function aggregate(deps: FeedDeps, venues: readonly Venue[]): z.input<typeof Aggregate> {
  const books = venues
    .filter(({ pair }) => /\/USD[A-Z]?$/.test(pair))
    .flatMap((venue) => deps.venues.getFeed(venue).book ?? [])
    .map((book) => ({ mid: computeMid(book), depth: computeDepth(book) }));
  const depth = books.reduce((sum, book) => sum + book.depth, 0n);
  const weighted = books.reduce((sum, book) => sum + book.mid * book.depth, 0n);
  return {
    vwapMid: depth === 0n ? null : ratio(weighted / depth, bookScale, 12),
    venues: books.length,
    depth: quotient(depth, bookScale, 18),
    source: 'order_book_mid',
    note,
  };
}

export const getMarket = defineRoute({
  id: 'getMarket',
  base: '/api/v1',
  path: '/markets/:id',
  methods: ['get'],
  tag: 'markets',
  summary: 'One venue (exchange) that trades the native coin',
  description:
    'Returns the venue with the order book that was read last. The number of price levels in the order book is limited.',
  params: z.object({ id: VenueId }),
  query: z.object({}),
  response: VenueDetail,
  errors: ['bad_query', 'not_found', 'store_unavailable'],
  maxAgeSeconds: 0,
  example: '/markets/{venue}',
  handle: async (deps: FeedDeps & StoreDeps, { params }) =>
    venueDetail(deps, await deps.venues.require(deps, params.id)),
});

export const postMarket = defineRoute({
  id: 'postMarket',
  base: '/api/v1',
  path: '/markets',
  methods: ['post'],
  tag: 'markets',
  summary: 'Adds a venue (exchange) that trades the native coin',
  description:
    'The service first tests the order-book feed. The feed must use HTTPS, have an allowed host with public IP addresses, and return a valid order book of native FAT.',
  access: 'admin',
  params: z.object({}),
  query: z.object({}),
  body: {
    schema: VenueBody,
    maxBytes: 16_384,
    requiresJsonType: true,
    example: {
      venue: 'Exchange',
      pair: 'FAT/USDT',
      feedUrl: 'https://api.exchange.example/depth',
      venueKind: 'cex',
    },
  },
  response: VenueDetail,
  errors: [
    ...(['admin_required', 'bad_query', 'unsupported_media_type', 'payload_too_large'] as const),
    ...(['feed_rejected', 'venue_conflict', 'store_unavailable'] as const),
  ],
  maxAgeSeconds: 0,
  successStatus: 201,
  example: '/markets',
  handle: async (deps: MarketDeps, { body }) => {
    const { venue, pair, feedUrl } = body;
    return venueDetail(deps, await deps.venues.add(deps, { venue, pair, feedUrl }));
  },
});

export const deleteMarket = defineRoute({
  ...getMarket,
  id: 'deleteMarket',
  methods: ['delete'],
  summary: 'Removes a venue (exchange)',
  description: 'The service then no longer reads the order-book feed of this venue.',
  response: z.unknown(),
  successStatus: 204,
  access: 'admin',
  errors: ['admin_required', 'bad_query', 'not_found', 'store_unavailable'],
  handle: async (deps: FeedDeps & StoreDeps, { params }) => {
    await deps.venues.remove(deps, await deps.venues.require(deps, params.id));
    return new OtherReply('application/json', '', {}, undefined, 204);
  },
});
