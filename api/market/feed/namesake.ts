/**
 * Other tokens that share the ticker. Native FAT has no contract and trades on one chain: a feed that names a contract,
 * another chain or another pair is about something else, and so is one whose price is nowhere near the canonical one.
 * @source specification 4.6, rules 1 and 2
 */
import { bookScale, midOf, type OrderBook } from './order-book.ts';
import { FeedRefused } from './refusal.ts';

/** A mid so many times above or below the canonical price is of another thing. */
export const namesakeFactor = 5n;
/** Quotes that are compared with the price in dollars. */
const dollarQuotes = /^USD[A-Z]?$/;
const contractKeys = /^(contract|contract_?address|token_?address|mint)$/i;
const chainKeys = /^(chain_?id|network_?id)$/i;

export interface NativePair {
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

/** @param text of the feed. @throws FeedRefused namesake_token */
export function assertNoNamesake(url: URL, text: string, book: OrderBook, native: NativePair): void {
  if (/0x[0-9a-f]{40}/i.test(url.pathname + url.search) || namesOther(JSON.parse(text), native.chainId))
    throw new FeedRefused('namesake_token');
  const ticker = native.pair.replace('/', '');
  const isOther = (symbol: string) => {
    const bare = symbol.toUpperCase().replace(/[^A-Z0-9]/g, '');
    const [base, quote] = native.pair.split('/');
    return bare !== ticker && bare !== `X${base}Z${quote}`;
  };
  if (book.symbols.some(isOther)) throw new FeedRefused('namesake_token');
  if (!dollarQuotes.test(native.pair.split('/')[1]!) || native.canonical === undefined) return;
  const mid = midOf(book);
  if (mid > native.canonical * namesakeFactor || mid * namesakeFactor < native.canonical)
    throw new FeedRefused('namesake_token');
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

/** A decimal price times 10^18, for comparison. */
export function scaledPrice(price: string): bigint {
  const [whole, part = ''] = price.split('.') as [string, string?];
  return BigInt(whole) * bookScale + BigInt(part.slice(0, 18).padEnd(18, '0'));
}
