import type { ShapePredicate } from './predicates.ts';
import { type QueryText, readGroups } from './query-text.ts';

export interface TokenWords {
  readonly symbols: ReadonlySet<string>;
  /**
   * Lower-case words in names of registered accounts. A token with such a symbol matches only in capitals, because
   * anyone can create a token named like an exchange.
   */
  readonly labelWords: ReadonlySet<string>;
  /** Symbol of the native currency. Matches in any case, even if it is an English word. */
  readonly nativeSymbol: string;
  /** Returns whether a word is English. Such a token symbol matches only in capitals. */
  readonly isWord: (lowerCase: string) => boolean;
}

const maxTokens = 3;
/**
 * Words that exclude tokens. A token filter would find the opposite, so the text is skipped up to "but" or an
 * understood part.
 */
const exclusion = /\b(?:except(?:ing)?|excluding|besides|other than|without|with no)\b[^|]*?(?=\||\bbut\b|$)/gi;
const [token, notToken] = [
  String.raw`(?<![\w.])\$?([A-Za-z][\w.]{1,14})(?![\w])`,
  String.raw`(?<!(?:\b(?:not|never|no)\s+(?:\w+\s+)?(?:(?:in|for|of|with|the|any)\s+)*|n['’]t\s+|\bnon-)\$?)`,
];

export function takeTokens(text: QueryText, words: TokenWords): ShapePredicate<string>[] {
  cutExcluded(text, words);
  const found: (ShapePredicate<string> & { readonly at: number; readonly match: string })[] = [];
  for (const { 0: match, 1: raw = '', index: at } of text.rest.matchAll(new RegExp(notToken + token, 'gi'))) {
    const symbol = raw.toUpperCase();
    if (!isMeant(raw, words) || found.some(({ value }) => value === symbol)) continue;
    found.push({ value: symbol, isHard: true, words: raw, at, match });
    if (found.length === maxTokens) break;
  }
  for (const { at, match } of found.toReversed()) text.cut({ index: at, 0: match });
  return found.map(({ value, isHard, words: own }) => ({ value, isHard, words: own }));
}

/** Excluded text that names a token would rank the excluded events first. */
function cutExcluded(text: QueryText, words: TokenWords): void {
  for (const { 0: match, index } of [...text.rest.matchAll(exclusion)].reverse()) {
    const named = [...match.matchAll(new RegExp(token, 'gi'))].some(([, raw = '']) => isMeant(raw, words));
    if (named) text.cut({ index, 0: match });
  }
}

/** English words and words of account names must be in capitals. */
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
