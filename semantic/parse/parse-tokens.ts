import type { ShapePredicate } from './predicates.ts';
import { type QueryText, readGroups } from './query-text.ts';

export interface TokenWords {
  readonly symbols: ReadonlySet<string>;
  /** Symbols that are recognized in lower case too: anybody can create a token whose symbol is the name of an exchange. */
  readonly verifiedSymbols: ReadonlySet<string>;
  /** Symbol of the native currency, recognized in any case, even if it is an English word. */
  readonly nativeSymbol: string;
  /** Returns whether a word is English. Such a token symbol is recognized only in capitals. */
  readonly isWord: (lowerCase: string) => boolean;
}

const maxTokens = 3;

export function takeTokens(text: QueryText, words: TokenWords): ShapePredicate<string>[] {
  const found: ShapePredicate<string>[] = [];
  const pattern = /(?<![\w.])\$?([A-Za-z][\w.]{1,14})(?![\w])/g;
  for (const [, raw = ''] of text.rest.matchAll(pattern)) {
    const symbol = raw.toUpperCase();
    if (!isMeant(raw, symbol, words) || found.some(({ value }) => value === symbol)) continue;
    found.push({ value: symbol, isHard: true, words: raw });
    if (found.length === maxTokens) break;
  }
  for (const { words: raw } of found) text.take(new RegExp(`(?<![\\w.])\\$?${raw.replaceAll('.', '\\.')}(?![\\w])`));
  return found;
}

function isMeant(raw: string, symbol: string, { symbols, verifiedSymbols, nativeSymbol, isWord }: TokenWords): boolean {
  if (!symbols.has(symbol)) return false;
  if (symbol === nativeSymbol.toUpperCase()) return true;
  return raw === symbol || (verifiedSymbols.has(symbol) && !isWord(raw.toLowerCase()));
}

/** Finds the received token of a swap ("swapped … into FAT", "traded stablecoins for LOOM"). */
export function findInto(text: QueryText, { symbols }: TokenWords): ShapePredicate<string> | undefined {
  const match = text.find(
    /\b(?:swap|trad|convert|exchang|chang|turn|sold|sell)\w*\s+(?:\S+\s+){0,4}?(?:into|to|for)\s+(?:some |the )?\$?([\w.]+)/i,
  );
  if (!match) return undefined;
  const [name] = readGroups(match);
  if (symbols.has(name.toUpperCase())) return { value: name.toUpperCase(), isHard: false, words: match[0] };
  return /^(?:stable ?coins?|dollars?|usd)$/i.test(name)
    ? { value: 'stablecoin', isHard: false, words: match[0] }
    : undefined;
}
