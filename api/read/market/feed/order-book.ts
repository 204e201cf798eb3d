/** Reads order books of Binance, Coinbase and Kraken. Prices and sizes stay exact decimal strings. */
import { z } from 'zod';
import { getFirst } from '#runtime/lists.ts';
import { FeedRefused } from './refusal.ts';

type Level = readonly [price: string, size: string];

export interface OrderBook {
  readonly adapter: AdapterName;
  /** Best price first. */
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
  readonly symbols: readonly string[];
  /** Increases with each change of the book; undefined: the format has no version. */
  readonly version: string | undefined;
}

type AdapterName = 'binance' | 'coinbase' | 'kraken';

const scaleDigits = 18;
export const bookScale = 10n ** BigInt(scaleDigits);

const Figure = z.union([z.string().max(64), z.number()]);
const FeedLevels = z.array(z.tuple([Figure, Figure], Figure)).max(20_000);
const Name = z.string().max(64).optional();
const sides = { bids: FeedLevels, asks: FeedLevels, symbol: Name, pair: Name, product_id: Name };
const Binance = z.object({ lastUpdateId: z.union([z.number(), z.string()]), ...sides });
const Coinbase = z.object({ sequence: z.union([z.number(), z.string()]), ...sides });
const Kraken = z.object({
  error: z.array(z.unknown()).length(0),
  result: z.record(z.string().max(64), z.object({ bids: FeedLevels, asks: FeedLevels })),
});

/** @throws FeedRefused */
export function readOrderBook(text: string, cap: number): OrderBook {
  const { adapter, bids, asks, symbols, version } = recognise(parseJson(text));
  const book = { adapter, symbols, version, bids: sorted(bids, -1), asks: sorted(asks, 1) };
  const [bid, ask] = [book.bids[0], book.asks[0]];
  if (!bid || !ask) throw new FeedRefused('probe_empty_book');
  if (scaled(bid[0]) >= scaled(ask[0])) throw new FeedRefused('probe_crossed_book');
  return { ...book, bids: book.bids.slice(0, cap), asks: book.asks.slice(0, cap) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new FeedRefused('probe_bad_schema', { cause: error });
  }
}

type Sides = Pick<z.infer<typeof Binance>, 'bids' | 'asks'>;

function recognise(value: unknown): Sides & Pick<OrderBook, 'adapter' | 'version'> & { symbols: string[] } {
  const [binance, coinbase, kraken] = [
    Binance.safeParse(value),
    Coinbase.safeParse(value),
    Kraken.safeParse(value),
  ] as const;
  for (const [adapter, parsed] of [
    ['binance', binance],
    ['coinbase', coinbase],
  ] as const) {
    if (!parsed.success) continue;
    const { bids, asks, symbol, pair, product_id } = parsed.data;
    const version = String('sequence' in parsed.data ? parsed.data.sequence : parsed.data.lastUpdateId);
    return { adapter, version, bids, asks, symbols: [symbol, pair, product_id].filter((name) => name !== undefined) };
  }
  const [entry, ...more] = kraken.success ? Object.entries(kraken.data.result) : [];
  if (!entry || more.length > 0) throw new FeedRefused('probe_bad_schema');
  return { adapter: 'kraken', version: undefined, ...entry[1], symbols: [entry[0]] };
}

/** Sorts price levels. Drops levels of size 0: some feeds send them for removed levels. */
function sorted(levels: Sides['bids'], direction: 1 | -1): Level[] {
  return levels
    .map(([price, size]) => [decimal(price), decimal(size)] as const)
    .filter(([price, size]) => {
      if (scaled(price) === 0n) throw new FeedRefused('probe_bad_number');
      return scaled(size) > 0n;
    })
    .map((level) => ({ level, price: scaled(level[0]) }))
    .sort((a, b) => (a.price === b.price ? 0 : a.price > b.price ? direction : -direction))
    .map(({ level }) => level);
}

/** Accepts at most 15 digits before the decimal point. */
function decimal(figure: string | number): string {
  const text = typeof figure === 'number' ? withoutExponent(figure) : figure;
  if (!/^\d{1,15}(\.\d{1,40})?$/.test(text)) throw new FeedRefused('probe_bad_number');
  return text;
}

/** Writes a JSON number such as 5e-7 as 0.0000005. */
function withoutExponent(figure: number): string {
  const text = String(figure);
  const [, whole = '', part = '', places] = /^(\d)(?:\.(\d+))?e-(\d+)$/.exec(text) ?? [];
  return places === undefined ? text : `0.${'0'.repeat(Number(places) - 1)}${whole}${part}`;
}

export function scaled(text: string): bigint {
  const [whole, part = ''] = text.split('.') as [string, string?];
  return BigInt(whole + part.slice(0, scaleDigits).padEnd(scaleDigits, '0'));
}

/** Returns whether a book did not change. A new version is a change, even with equal levels. */
export const isSameBook = (a: OrderBook, b: OrderBook): boolean =>
  a.version === b.version && JSON.stringify([a.bids, a.asks]) === JSON.stringify([b.bids, b.asks]);

/** Mid price times 10^18. */
export const computeMid = ({ bids, asks }: Pick<OrderBook, 'bids' | 'asks'>): bigint =>
  (scaled(getFirst(bids)[0]) + scaled(getFirst(asks)[0])) / 2n;

/**
 * Value of the levels within 10 % of the mid price, quote currency times 10^18. Orders far from the mid price cost
 * their owner nothing, so they must not give the book weight.
 */
export function computeDepth(book: Pick<OrderBook, 'bids' | 'asks'>): bigint {
  const mid = computeMid(book);
  const isNear = ([price]: Level) => 10n * scaled(price) >= 9n * mid && 10n * scaled(price) <= 11n * mid;
  return [...book.bids, ...book.asks]
    .filter(isNear)
    .reduce((sum, [price, size]) => sum + (scaled(price) * scaled(size)) / bookScale, 0n);
}
