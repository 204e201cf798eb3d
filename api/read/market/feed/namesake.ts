/**
 * Other tokens that share the ticker. Native FAT has no contract and trades on one chain: a feed that names a contract,
 * another chain or another pair is about something else, and so is one whose price is nowhere near the canonical one. A
 * feed that nothing ties to the pair is refused too.
 * @source specification 4.6, rules 1 and 2
 */
import { midOf, type OrderBook } from './order-book.ts';
import { FeedRefused } from './refusal.ts';

/** A mid so many times above or below the canonical price is of another thing. */
const namesakeFactor = 5n;
/** Pairs that are compared with the price in dollars. */
const dollarPairs = /\/USD[A-Z]?$/;
const contractKeys = /^(contract|contract_?address|token_?address|mint)$/i;
const chainKeys = /^(chain_?id|network_?id)$/i;
/** Parameters by which the URLs of venues name a pair. */
const tickerParameters =
  /^(symbol|pair|product_?id|inst_?id|instrument_?(id|name)|market|ticker(_id)?|currency_?pair)$/i;

interface NativePair {
  readonly pair: string;
  readonly coinSymbol: string;
  readonly chainId: number;
  /** Canonical price in dollars as a decimal times 10^18; undefined where there is none now. */
  readonly canonical: bigint | undefined;
}

/** @throws FeedRefused not_native_pair */
export function assertNativePair({ pair, coinSymbol }: Pick<NativePair, 'pair' | 'coinSymbol'>): void {
  if (pair.split('/')[0] !== coinSymbol.toUpperCase()) throw new FeedRefused('not_native_pair');
}

/**
 * Something must say that the feed is about this pair: the feed names it, its URL does, or its mid is near the canonical price.
 * @param text of the feed
 * @throws FeedRefused namesake_token where something says otherwise, pair_not_named where nothing says it
 */
export function assertNoNamesake(url: URL, text: string, book: OrderBook, native: NativePair): void {
  if (/0x[0-9a-f]{40}/i.test(url.pathname + url.search) || namesOther(JSON.parse(text), native.chainId))
    throw new FeedRefused('namesake_token');
  const names = [...book.symbols, ...tickersOf(url)];
  if (names.some((name) => !isTickerOf(name, native.pair))) throw new FeedRefused('namesake_token');
  const isNamed = names.length > 0 || segmentsOf(url).some((segment) => isTickerOf(segment, native.pair));
  const isNear = isNearCanonical(book, native);
  if (isNear === false) throw new FeedRefused('namesake_token');
  if (!isNamed && isNear === undefined) throw new FeedRefused('pair_not_named');
}

/** What parameters of the URL call the pair. */
const tickersOf = (url: URL): string[] =>
  [...url.searchParams].flatMap(([name, value]) => (tickerParameters.test(name) ? [value] : []));
const segmentsOf = (url: URL): string[] => url.pathname.split('/').filter((segment) => segment !== '');

/** Whether a name is that of the pair, in the spelling of any venue. */
function isTickerOf(name: string, pair: string): boolean {
  const bare = name.toUpperCase().replace(/[^A-Z0-9]/g, '');
  const [base, quote] = pair.split('/');
  return bare === `${base}${quote}` || bare === `X${base}Z${quote}`;
}

/** Undefined where there is no price to compare with, or the pair is not in dollars. */
function isNearCanonical(book: OrderBook, { pair, canonical }: NativePair): boolean | undefined {
  if (!dollarPairs.test(pair) || canonical === undefined) return undefined;
  const mid = midOf(book);
  return mid <= canonical * namesakeFactor && mid * namesakeFactor >= canonical;
}

/** Fields of the feed itself, and one level below, that say contract or chain. */
function namesOther(value: unknown, chainId: number, depth = 0): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth > 2) return false;
  return Object.entries(value).some(([key, field]) => {
    if (contractKeys.test(key)) return field !== null && field !== '';
    if (chainKeys.test(key)) return Number(field) !== chainId;
    return namesOther(field, chainId, depth + 1);
  });
}
