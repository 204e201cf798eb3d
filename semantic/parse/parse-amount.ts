/** Finds amounts in a search query, such as "between 5k and 10k USDC", "$50 or more", "exactly 3 FAT". */

import { escapePattern, month } from './parse-time.ts';
import { isMeant, type TokenWords } from './parse-tokens.ts';
import type { AmountBounds } from './predicates.ts';
import type { QueryText } from './query-text.ts';

/** Two numbers between which a query can mean years. */
const yearRange = /^\w+\s+20(?:1[5-9]|[23]\d)\s*(?:and|to|-|–)\s*20(?:1[5-9]|[23]\d)$/i;

/** Parts of a date such as 2026-01-31 are no amounts. A limited length keeps the regular expression fast for very long numbers. */
const digits = String.raw`(?<![\d,_])(?!(?<=\b(?:19|20)\d\d-(?:\d\d-)?)\d\d(?!\d)|(?:19|20)\d\d-\d\d(?!\d))(\d[\d,_]{0,40}(?![\d,_])(?:\.\d{1,40})?)`;
/** A scale such as "k" or "million" ends a word: the M of "5 MATIC" does not mean million. */
const scale = String.raw`(?:\s?(k|m|bn|thousand|million|billion)(?![a-z\d]))?`;
const number = String.raw`(?:\$|usd\s?)?\s?${digits}${scale}(?![\w-]{0,20}\d{2}:)`;
const unit = String.raw`(?:\s?(usd|dollars?|bucks|\$)\b)?`;
const scales: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  million: 1e6,
  bn: 1e9,
  billion: 1e9,
};

interface Form {
  readonly pattern: RegExp;
  readonly bounds: (numbers: readonly number[]) => Pick<AmountBounds, 'min' | 'max' | 'isStrict'>;
}

const notTime = String.raw`(?!\s?(?:days?|weeks?|months?|years?|hours?|minutes?|times\b|confirmations?|blocks?)|(?:st|nd|rd|th)?\s(?:of\s)?${month}(?!\w))`;
const form = (pattern: string, bounds: Form['bounds']): Form => ({ pattern: new RegExp(pattern, 'i'), bounds });
const forms: readonly Form[] = [
  form(
    String.raw`\b(?:between|from)\s+${number}${unit}\s*(?:and|to|-|–)\s*${number}${unit}${notTime}\b`,
    ([a = Number.NaN, b = Number.NaN]) => ({
      min: Math.min(a, b),
      max: Math.max(a, b),
      isStrict: false,
    }),
  ),
  form(
    String.raw`(?:\b(?:at least|not? (?:less|fewer) than|not (?:under|below)|minimum(?: of)?|min)|>=|≥)\s*${number}${unit}${notTime}`,
    ([a]) => ({
      min: a,
      max: undefined,
      isStrict: false,
    }),
  ),
  form(
    String.raw`(?:\b(?:at most|not? more than|not (?:over|above|exceeding)|maximum(?: of)?|max|up to)|<=|≤)\s*${number}${unit}${notTime}`,
    ([a]) => ({
      min: undefined,
      max: a,
      isStrict: false,
    }),
  ),
  form(
    String.raw`(?:\b(?:over|above|more than|greater than|larger than|bigger than|higher than|exceeding|beyond|upwards of|north of)|>)\s*${number}${unit}${notTime}`,
    ([a]) => ({ min: a, max: undefined, isStrict: true }),
  ),
  form(
    String.raw`(?:\b(?:under|below|less than|smaller than|lower than|cheaper than|beneath)|<)\s*${number}${unit}${notTime}`,
    ([a]) => ({ min: undefined, max: a, isStrict: true }),
  ),
  form(String.raw`${number}${unit}\s*(?:or more|and up|and above|plus\b|\+)`, ([a]) => ({
    min: a,
    max: undefined,
    isStrict: false,
  })),
  form(String.raw`${number}${unit}\s*(?:or less|and below|or under)`, ([a]) => ({
    min: undefined,
    max: a,
    isStrict: false,
  })),
  form(String.raw`\b(?:exactly|precisely|equal to)\s*${number}${unit}${notTime}`, (numbers) => near(numbers, 1e-9)),
  form(String.raw`\b(?:about|around|approximately|roughly|nearly|almost)\s*${number}${unit}${notTime}`, (numbers) =>
    near(numbers, 0.1),
  ),
];

const openBound = String.raw`(or more(?!\s+than)|and up\b|and above\b|\+|or less(?!\s+than)|and below\b|or under(?!\s*[\d$]))`;
const openAmount = new RegExp(
  String.raw`(?<![#\w.])${number}${notTime}(?=\s+([A-Za-z][\w.]{0,40})\s*${openBound})`,
  'i',
);
const bareRange = new RegExp(
  String.raw`(?<![#\w.])${number}\s*(?:-|–|to\b)\s*${number}${notTime}(?=\s+([A-Za-z][\w.]*))`,
  'i',
);
const bareAmount = new RegExp(String.raw`(?<![#\w.])${number}${notTime}(?=\s+([A-Za-z][\w.]*))`, 'i');
const dollarAmount = new RegExp(String.raw`\$\s?${digits}${scale}\b`, 'i');
const amounts = new RegExp(digits + scale, 'gi');

/** Removes an amount from the query text and returns it. A plain number counts only before a token symbol: "500 USDC". */
export function takeAmount(text: QueryText, tokens: TokenWords): AmountBounds | undefined {
  const isSymbol = (word: string) => isMeant(word, tokens);
  return takeBounds(text, isSymbol) ?? takeOpenAmount(text, isSymbol) ?? takeBare(text, isSymbol);
}

type IsSymbol = (word: string) => boolean;

/** Takes an amount with words for its bounds, such as "over 5 FAT and under 10 FAT". */
function takeBounds(text: QueryText, isSymbol: IsSymbol): AmountBounds | undefined {
  for (const { pattern, bounds } of forms) {
    const match = text.find(pattern);
    if (!match || (yearRange.test(match[0]) && !isSymbol(wordAfter(text, match)))) continue;
    text.take(pattern);
    const first = { ...bounds(readNumbers(match[0])), unit: readUnit(match[0]), words: match[0].trim() };
    return first.min === undefined || first.max === undefined ? withOtherBound(text, first) : first;
  }
  return undefined;
}

/** Text between the removed first bound and the second one, on either side: a token and "and", but no "or". */
const between = String.raw`(?:\$?(?!or\b)[A-Za-z][\w.]*\s+)?(?:(?:and|but)\s+)?`;
const [afterFirst, beforeFirst] = [
  new RegExp(String.raw`\|\s*${between}$`, 'i'),
  new RegExp(String.raw`^\s*${between}\|`, 'i'),
];

/** Takes the second bound of a range beside the first one. */
function withOtherBound(text: QueryText, first: AmountBounds): AmountBounds {
  for (const { pattern, bounds } of forms) {
    const match = text.find(pattern);
    if (!match) continue;
    const second = bounds(readNumbers(match[0]));
    const [min, max] = [first.min ?? second.min, first.max ?? second.max];
    const isRange = (second.min === undefined) !== (second.max === undefined) && min !== undefined && max !== undefined;
    const end = match.index + match[0].length;
    const isBeside = afterFirst.test(text.rest.slice(0, match.index)) || beforeFirst.test(text.rest.slice(end));
    if (!isRange || min > max || !isBeside) continue;
    text.take(pattern);
    const [lower, upper] = first.min === undefined ? [second, first] : [first, second];
    const words = `${first.words} ${match[0].trim()}`;
    const unit = readUnit(words);
    return { min, max, isStrict: lower.isStrict, isMaxStrict: upper.isStrict, unit, words };
  }
  return first;
}

function takeBare(text: QueryText, isSymbol: IsSymbol): AmountBounds | undefined {
  const range = text.find(bareRange);
  if (range && isSymbol(range.at(-1) ?? '')) {
    text.take(bareRange);
    const [a = Number.NaN, b = Number.NaN] = readNumbers(range[0]);
    return { min: Math.min(a, b), max: Math.max(a, b), isStrict: false, unit: 'token', words: range[0].trim() };
  }
  const bare = text.find(bareAmount);
  if (bare && isSymbol(bare.at(-1) ?? '')) {
    text.take(bareAmount);
    return { ...near(readNumbers(bare[0]), 0.005), unit: 'token', words: bare[0].trim() };
  }
  const dollars = text.take(dollarAmount)?.[0];
  if (dollars) return { ...near(readNumbers(dollars), 0.02), unit: 'usd', words: dollars.trim() };
  return undefined;
}

/** Takes an amount whose bound follows the token, such as "5 FAT or more", and leaves the token. */
function takeOpenAmount(text: QueryText, isSymbol: IsSymbol): AmountBounds | undefined {
  const match = text.find(openAmount);
  const symbol = match?.at(-2) ?? '';
  const bound = match?.at(-1) ?? '';
  if (!match || !isSymbol(symbol)) return undefined;
  text.take(openAmount);
  text.take(new RegExp(String.raw`(?<=\|\s+${escapePattern(symbol)}\s*)${openBound}`, 'i'));
  const [value] = readNumbers(match[0]);
  const isMinimum = /more|up|above|\+/i.test(bound);
  const range = isMinimum ? { min: value, max: undefined } : { min: undefined, max: value };
  return { ...range, isStrict: false, unit: 'token', words: `${match[0].trim()} ${bound}` };
}

function wordAfter({ rest }: QueryText, { index, 0: words }: RegExpExecArray): string {
  return /^\s+([A-Za-z][\w.]*)/.exec(rest.slice(index + words.length))?.[1] ?? '';
}

function near([value = Number.NaN]: readonly number[], share: number) {
  return { min: value * (1 - share), max: value * (1 + share), isStrict: false };
}

function readNumbers(words: string): number[] {
  return [...words.matchAll(amounts)].map(
    ([, value = '', scale = '']) => Number(value.replace(/[,_]/g, '')) * (scales[scale.toLowerCase()] ?? 1),
  );
}

function readUnit(words: string): 'usd' | 'token' {
  return /\$|(?<![a-z])usd\b|dollars?|bucks/i.test(words) ? 'usd' : 'token';
}
