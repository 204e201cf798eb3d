import PQueue from 'p-queue';
import type { OutboundNetwork } from '#runtime/outbound/outbound.ts';
import { RowWriter } from '#sql/row-writer.ts';
import { ApiProblem } from '../../terms/errors.ts';
import type { StateDeps, StoreDeps } from '../reader-deps.ts';
import { checkFeedUrl, fetchFeed } from './feed/fetch-feed.ts';
import { assertNativePair, assertNoNamesake } from './feed/namesake.ts';
import { isSameBook, type OrderBook, readOrderBook, scaled } from './feed/order-book.ts';
import { FeedRefused, type Refusal, refusals } from './feed/refusal.ts';
import type { PriceDeps } from './price.ts';
import { readRecentPrice } from './recent-price.ts';

export interface MarketSettings {
  /** Allowed feed hosts, lower case, with the port if it is not 443. */
  readonly hosts: readonly string[];
  readonly depthCap: number;
  /** Cron expression with seconds, UTC. */
  readonly schedule: string;
  readonly staleSeconds: number;
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

interface VenueRequest {
  readonly venue: string;
  readonly pair: string;
  readonly feedUrl: string;
}

export interface Venue extends VenueRequest {
  readonly id: string;
  readonly adapter: string;
  readonly createdMs: number;
}

interface FeedState {
  readonly book: OrderBook | undefined;
  readonly readAtMs: number | undefined;
  /** First read of this book. Shows a halted exchange, which sends the same book forever. */
  readonly changedAtMs: number | undefined;
  readonly fault: Refusal | undefined;
}

export interface VenueDeps extends PriceDeps, Pick<StateDeps, 'snapshots' | 'log'> {
  readonly settings: PriceDeps['settings'] & {
    readonly markets: MarketSettings;
    readonly network: { readonly nativeCurrency: { readonly symbol: string } };
    readonly chainId: number;
  };
}

export interface MarketDeps extends VenueDeps {
  readonly venues: Venues;
}

const unread: FeedState = { book: undefined, readAtMs: undefined, changedAtMs: undefined, fault: undefined };

const maxParallelFetches = 4;
const maxVenues = 200;

export class Venues {
  readonly #feeds = new Map<string, FeedState>();
  readonly network: OutboundNetwork;

  constructor(network: OutboundNetwork) {
    this.network = network;
  }

  async list({ database }: StoreDeps): Promise<Venue[]> {
    const rows = await database.read('venues');
    return rows.map(({ id, venue, pair, adapter, feed_url, created_ms }) => ({
      id,
      venue,
      pair,
      adapter,
      feedUrl: feed_url,
      createdMs: Number(created_ms),
    }));
  }

  /** @throws ApiProblem not_found */
  async require(deps: StoreDeps, id: string): Promise<Venue> {
    const venue = (await this.list(deps)).find((each) => each.id === id);
    if (!venue) throw new ApiProblem('not_found', `no venue has the id ${id}`);
    return venue;
  }

  getFeed(venue: Venue): FeedState {
    return this.#feeds.get(getKey(venue)) ?? unread;
  }

  /** Checks the feed, then stores the venue. @throws ApiProblem feed_rejected, venue_conflict */
  async add(deps: VenueDeps, request: VenueRequest): Promise<Venue> {
    const present = await this.list(deps);
    const id = getId(request);
    if (present.some((each) => each.id === id))
      throw new ApiProblem('venue_conflict', `a venue with the id ${id} exists: remove it first`);
    if (present.length >= maxVenues)
      throw new ApiProblem('venue_conflict', `at most ${maxVenues} venues are accepted: remove one first`);
    // averages must not count an order book twice
    const twin = present.find((each) => each.pair === request.pair && isSameUrl(each.feedUrl, request.feedUrl));
    if (twin)
      throw new ApiProblem('venue_conflict', `the venue ${twin.id} has the same feed and pair: remove it first`);
    const book = await this.#probe(deps, request).catch((error: unknown) => {
      if (!(error instanceof FeedRefused)) throw error;
      throw new ApiProblem('feed_rejected', refusals[error.reason], { reason: error.reason });
    });
    const venue = { ...request, id, adapter: book.adapter, createdMs: Date.now() };
    await this.#write(deps, venue, false);
    this.#keep(venue, book);
    return venue;
  }

  async remove(deps: StoreDeps, venue: Venue): Promise<void> {
    await this.#write(deps, venue, true);
    this.#feeds.delete(getKey(venue));
  }

  /** Fetches all feeds. A venue with a rejected feed keeps its last valid order book. */
  async refresh(deps: VenueDeps): Promise<void> {
    const venues = await this.list(deps);
    const keys = new Set(venues.map(getKey));
    for (const key of this.#feeds.keys()) if (!keys.has(key)) this.#feeds.delete(key);
    const queue = new PQueue({ concurrency: maxParallelFetches });
    await queue.addAll(venues.map((venue) => () => this.#refreshOne(deps, venue)));
  }

  async #refreshOne(deps: VenueDeps, venue: Venue): Promise<void> {
    try {
      this.#keep(venue, await this.#probe(deps, venue));
    } catch (error) {
      if (!(error instanceof FeedRefused)) throw error;
      const before = this.getFeed(venue);
      if (before.fault !== error.reason)
        deps.log.warn({ event: 'feed_refused', venue: venue.id, reason: error.reason });
      this.#feeds.set(getKey(venue), { ...before, fault: error.reason });
    }
  }

  #keep(venue: Venue, book: OrderBook): void {
    const [before, readAtMs] = [this.getFeed(venue), Date.now()];
    const isSame = before.book !== undefined && isSameBook(before.book, book);
    const changedAtMs = isSame ? before.changedAtMs : readAtMs;
    this.#feeds.set(getKey(venue), { book, readAtMs, changedAtMs, fault: undefined });
  }

  async #probe(deps: VenueDeps, { pair, feedUrl }: VenueRequest): Promise<OrderBook> {
    const { markets, network, chainId } = deps.settings;
    const coinSymbol = network.nativeCurrency.symbol;
    assertNativePair({ pair, coinSymbol });
    const url = checkFeedUrl(feedUrl, [...markets.hosts, ...(this.network.own ? [this.network.own.host] : [])]);
    const text = await fetchFeed(url, markets, this.network);
    const book = readOrderBook(text, markets.depthCap);
    assertNoNamesake(url, text, book, { pair, coinSymbol, chainId, canonical: await readCanonicalPrice(deps) });
    return book;
  }

  async #write({ database }: StoreDeps, venue: Venue, isRemoved: boolean): Promise<void> {
    // must exceed the version of a removed row, even if the clock of its writer is ahead
    const before = await database.readOne('venue_version', { id: venue.id });
    const version = Math.max(Date.now(), Number(before.version) + 1);
    const w = new RowWriter(1024);
    for (const text of [venue.id, venue.venue, venue.pair, venue.feedUrl]) w.text(text);
    w.uint8(1);
    w.text(venue.adapter);
    w.uint64(venue.createdMs);
    w.uint8(Number(isRemoved));
    w.uint64(version);
    await database.insertRowBinary('market_venues', w.view());
  }
}

/** @param b may be invalid */
const isSameUrl = (a: string, b: string): boolean => URL.canParse(b) && new URL(a).href === new URL(b).href;

/** Changes if a venue is removed and added again. */
const getKey = ({ id, feedUrl, createdMs }: Venue) => `${id} ${createdMs} ${feedUrl}`;

function getId({ venue, pair }: VenueRequest): string {
  const slug = (text: string) =>
    text
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '');
  return `${slug(venue) || Buffer.from(venue).toString('hex').slice(0, 32)}-${slug(pair)}`;
}

async function readCanonicalPrice(deps: VenueDeps): Promise<bigint | undefined> {
  const price = await readRecentPrice(deps);
  return price === undefined ? undefined : scaled(price);
}
