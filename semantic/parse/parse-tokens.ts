/** Token symbols in a query, and what something was turned into. */
import type { ShapePredicate } from './predicates.ts';
import { groupsOf, type QueryText } from './query-text.ts';

/** Symbols that may be meant: upper case. */
export interface TokenWords {
  readonly symbols: ReadonlySet<string>;
  /** Meant however they are written, though they may be words: the native coin. */
  readonly nativeSymbol: string;
  /** True for a word of the language: then the symbol is meant only in capital letters. */
  readonly isWord: (lowerCase: string) => boolean;
}

const mostTokens = 3;

/** Takes symbols out of the text, in order. */
export function takeTokens(text: QueryText, words: TokenWords): ShapePredicate<string>[] {
  const found: ShapePredicate<string>[] = [];
  const pattern = /(?<![\w.])\$?([A-Za-z][\w.]{1,14})(?![\w])/g;
  for (const [, raw = ''] of text.rest.matchAll(pattern)) {
    const symbol = raw.toUpperCase();
    if (!isMeant(raw, symbol, words) || found.some(({ value }) => value === symbol)) continue;
    found.push({ value: symbol, isHard: true, words: raw });
    if (found.length === mostTokens) break;
  }
  for (const { words: raw } of found) text.take(new RegExp(`(?<![\\w.])\\$?${raw.replaceAll('.', '\\.')}(?![\\w])`));
  return found;
}

function isMeant(raw: string, symbol: string, { symbols, nativeSymbol, isWord }: TokenWords): boolean {
  if (!symbols.has(symbol)) return false;
  if (symbol === nativeSymbol.toUpperCase()) return true;
  return raw === symbol || !isWord(raw.toLowerCase());
}

/** "swapped … into FAT", "traded stablecoins for LOOM": token or class that came out. Leaves the text as it is. */
export function findInto(text: QueryText, { symbols }: TokenWords): ShapePredicate<string> | undefined {
  const match = text.find(
    /\b(?:swap|trad|convert|exchang|chang|turn|sold|sell)\w*\s+(?:\S+\s+){0,4}?(?:into|to|for)\s+(?:some |the )?\$?([\w.]+)/i,
  );
  if (!match) return undefined;
  const [name] = groupsOf(match);
  if (symbols.has(name.toUpperCase())) return { value: name.toUpperCase(), isHard: false, words: match[0] };
  return /^(?:stable ?coins?|dollars?|usd)$/i.test(name)
    ? { value: 'stablecoin', isHard: false, words: match[0] }
    : undefined;
}
