import type { ShapePredicate } from './predicates.ts';
import { type QueryText, readGroups } from './query-text.ts';

export interface TokenWords {
  readonly symbols: ReadonlySet<string>;
  /** Words of the names of registered accounts, lower case: anybody can create a token with the name of an exchange. */
  readonly labelWords: ReadonlySet<string>;
  /** Symbol of the native currency, recognized in any case, even if it is an English word. */
  readonly nativeSymbol: string;
  /** Returns whether a word is English. Such a token symbol is recognized only in capitals, like a word of a name. */
  readonly isWord: (lowerCase: string) => boolean;
}

const maxTokens = 3;
/** A token after such a word is not what is searched for: a filter would find the opposite. */
const notExcluded = String.raw`(?<!\b(?:not|never|except|excluding|without|besides|other than)\s+(?:(?:for|in|of|with|the|any)\s+)?\$?)`;

export function takeTokens(text: QueryText, words: TokenWords): ShapePredicate<string>[] {
  const found: ShapePredicate<string>[] = [];
  const pattern = new RegExp(String.raw`${notExcluded}(?<![\w.])\$?([A-Za-z][\w.]{1,14})(?![\w])`, 'gi');
  for (const [, raw = ''] of text.rest.matchAll(pattern)) {
    const symbol = raw.toUpperCase();
    if (!isMeant(raw, words) || found.some(({ value }) => value === symbol)) continue;
    found.push({ value: symbol, isHard: true, words: raw });
    if (found.length === maxTokens) break;
  }
  for (const { words: raw } of found)
    text.take(new RegExp(`${notExcluded}(?<![\\w.])\\$?${raw.replaceAll('.', '\\.')}(?![\\w])`));
  return found;
}

/** Returns whether a word names a token: one that is also an English word, or a word of a name, does so in capitals. */
export function isMeant(raw: string, { symbols, labelWords, nativeSymbol, isWord }: TokenWords): boolean {
  const symbol = raw.toUpperCase();
  if (!symbols.has(symbol)) return false;
  if (symbol === nativeSymbol.toUpperCase()) return true;
  const word = raw.toLowerCase();
  return raw === symbol || !(labelWords.has(word) || isWord(word));
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
