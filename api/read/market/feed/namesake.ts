/**
 * Rejects order-book feeds of other tokens with the coin's ticker. Signs of such feeds are a contract address, another
 * chain, another pair, or a price far from the on-chain price.
 * @source docs/economy.md#markets-apiv1markets
 */
import { computeMid, type OrderBook } from './order-book.ts';
import { FeedRefused } from './refusal.ts';

/** Maximum ratio between the feed's mid price and the on-chain price, in either direction. */
const namesakeFactor = 5n;
const dollarPairs = /\/USD[A-Z]?$/;
const contractKeys = /^(contract|contract_?address|token_?address|mint)$/i;
const chainKeys = /^(chain_?id|network_?id)$/i;
const tickerParameters =
  /^(symbol|pair|product_?id|inst_?id|instrument_?(id|name)|market|ticker(_id)?|currency_?pair)$/i;

interface NativePair {
  readonly pair: string;
  readonly coinSymbol: string;
  readonly chainId: number;
  /** On-chain price of the coin, dollars times 10^18. */
  readonly canonical: bigint | undefined;
}

/** @throws FeedRefused not_native_pair */
export function assertNativePair({ pair, coinSymbol }: Pick<NativePair, 'pair' | 'coinSymbol'>): void {
  if (pair.split('/')[0] !== coinSymbol.toUpperCase()) throw new FeedRefused('not_native_pair');
}

/**
 * Requires that a name in the feed or URL, or the mid price, confirms the pair and that nothing contradicts it.
 * @throws FeedRefused namesake_token, pair_not_named
 */
export function assertNoNamesake(url: URL, text: string, book: OrderBook, native: NativePair): void {
  if (/0x[0-9a-f]{40}/i.test(url.pathname + url.search) || namesOtherToken(JSON.parse(text), native.chainId))
    throw new FeedRefused('namesake_token');
  const names = [...book.symbols, ...getTickers(url)];
  if (names.some((name) => !isTicker(name, native.pair))) throw new FeedRefused('namesake_token');
  const isNamed = names.length > 0 || getSegments(url).some((segment) => isTicker(segment, native.pair));
  const isNear = isNearCanonical(book, native);
  if (isNear === false) throw new FeedRefused('namesake_token');
  if (!isNamed && isNear === undefined) throw new FeedRefused('pair_not_named');
}

const getTickers = (url: URL): string[] =>
  [...url.searchParams].flatMap(([name, value]) => (tickerParameters.test(name) ? [value] : []));
const getSegments = (url: URL): string[] => url.pathname.split('/').filter((segment) => segment !== '');

function isTicker(name: string, pair: string): boolean {
  const compact = name.toUpperCase().replace(/[^A-Z0-9]/g, '');
  const [base, quote] = pair.split('/');
  return compact === `${base}${quote}` || compact === `X${base}Z${quote}`;
}

function isNearCanonical(book: OrderBook, { pair, canonical }: NativePair): boolean | undefined {
  if (!dollarPairs.test(pair) || canonical === undefined) return undefined;
  const mid = computeMid(book);
  return mid <= canonical * namesakeFactor && mid * namesakeFactor >= canonical;
}

function namesOtherToken(value: unknown, chainId: number, depth = 0): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth > 2) return false;
  return Object.entries(value).some(([key, field]) => {
    if (contractKeys.test(key)) return field !== null && field !== '';
    if (chainKeys.test(key)) return Number(field) !== chainId;
    return namesOtherToken(field, chainId, depth + 1);
  });
}
