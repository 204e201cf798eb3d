/** Finds amounts in a search query, such as "between 5k and 10k USDC", "$50 or more", "exactly 3 FAT". */

import { areGeneric } from '../soft-bm25.ts';
import { escapePattern, month } from './parse-time.ts';
import { isMeant, type TokenWords } from './parse-tokens.ts';
import type { AmountBounds } from './predicates.ts';
import type { QueryText } from './query-text.ts';

/** Two numbers that can mean years. */
const yearRange = /^\w+\s+20(?:1[5-9]|[23]\d)\s*(?:and|to|-|–)\s*20(?:1[5-9]|[23]\d)$/i;

/**
 * Excludes parts of a date such as 2026-01-31. The limited length keeps the regular expression fast for very long
 * numbers.
 */
const digits = String.raw`(?<![\d,_])(?!(?<=\b(?:19|20)\d\d-(?:\d\d-)?)\d\d(?!\d)|(?:19|20)\d\d-\d\d(?!\d))(\d[\d,_]{0,40}(?![\d,_])(?:\.\d{1,40})?)`;
/** A scale such as "k" or "million" must end a word: the M of "5 MATIC" does not mean million. */
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

const notTime = String.raw`(?!\s?(?:days?|weeks?|months?|years?|hours?|minutes?|times|confirmations?|blocks?)\b|(?:st|nd|rd|th)?\s(?:of\s)?${month}(?!\w))`;
const form = (pattern: string, bounds: Form['bounds']): Form => ({ pattern: new RegExp(pattern, 'i'), bounds });
const forms: readonly Form[] = [
  form(String.raw`\b(?:between|from)\s+${number}${unit}\s*(?:and|to|-|–)\s*${number}${unit}${notTime}\b`, between),
  form(
    String.raw`(?:\b(?:at least|not? (?:less|fewer|smaller|lower) than|not (?:under|below)|minimum(?: of)?|min)|>=|≥)\s*${number}${unit}${notTime}`,
    ([a]) => ({
      min: a,
      max: undefined,
      isStrict: false,
    }),
  ),
  form(
    String.raw`(?:\b(?:at most|not? (?:more|greater|larger|bigger|higher) than|not (?:over|above|exceeding)|maximum(?: of)?|max|up to)|<=|≤)\s*${number}${unit}${notTime}`,
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
const openAmount = new RegExp(String.raw`(?<![#\w.])${number}(?=\s+([A-Za-z][\w.]{0,40})\s*${openBound})`, 'gi');
const bareRange = new RegExp(String.raw`(?<![#\w.])${number}\s*(?:-|–|to\b)\s*${number}(?=\s+([A-Za-z][\w.]*))`, 'gi');
const bareAmount = new RegExp(String.raw`(?<![#\w.])${number}(?=\s+([A-Za-z][\w.]*))`, 'gi');
const dollarRange = new RegExp(String.raw`\$\s?${digits}${scale}\s*(?:-|–|to\b)\s*\$?\s?${digits}${scale}\b`, 'i');
const dollarAmount = new RegExp(String.raw`\$\s?${digits}${scale}\b`, 'i');
const amounts = new RegExp(digits + scale, 'gi');

/** Words after a number that are not its token, although anyone can create a token of this name. */
const noToken = new RegExp(
  `^(?:(?:second|minute|hour|day|week|month|quarter|year|time|block|confirmation)s?|${month})$`,
  'i',
);

/**
 * Removes an amount from the query text and returns it. A number without a dollar sign or a word such as "over" counts
 * only before a token symbol: "500 USDC".
 */
export function takeAmount(text: QueryText, tokens: TokenWords): AmountBounds | undefined {
  const isSymbol = (word: string) =>
    isMeant(word, tokens) ||
    (tokens.symbols.has(word.toUpperCase()) && !noToken.test(word) && !areGeneric([word.toLowerCase()]));
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
    return first.min === undefined || first.max === undefined ? withOtherBound(text, first, isSymbol) : first;
  }
  return undefined;
}

/** Text between the removed first bound and the second one, on either side: a token and "and", but no "or". */
const betweenBounds = String.raw`(?:\$?(?!or\b)[A-Za-z][\w.]*\s+)?(?:(?:and|but)\s+)?`;
const [afterFirst, beforeFirst] = [
  new RegExp(String.raw`\|\s*${betweenBounds}$`, 'i'),
  new RegExp(String.raw`^\s*${betweenBounds}\|`, 'i'),
];

/** Takes the second bound of a range next to the first one. */
function withOtherBound(text: QueryText, first: AmountBounds, isSymbol: IsSymbol): AmountBounds {
  for (const { pattern, bounds } of forms) {
    const match = text.find(pattern);
    if (!match || !isBeside(text, match)) continue;
    const range = joinBounds(first, bounds(readNumbers(match[0])));
    const unit = readUnit(match[0]);
    // "over 5 ETH and under $100" is no range
    if (!range || (unit !== first.unit && namesToken(text, match, isSymbol))) continue;
    text.take(pattern);
    return { ...range, unit: unit === first.unit ? unit : 'usd', words: `${first.words} ${match[0].trim()}` };
  }
  return first;
}

type Bounds = ReturnType<Form['bounds']>;

/** Joins a lower and an upper bound, in any order; undefined if they are not a range. */
function joinBounds(first: Bounds, second: Bounds): Omit<AmountBounds, 'unit' | 'words'> | undefined {
  const [lower, upper] = first.min === undefined ? [second, first] : [first, second];
  const { min, isStrict } = lower;
  const { max, isStrict: isMaxStrict } = upper;
  const isOneSided = lower.max === undefined && upper.min === undefined;
  if (!isOneSided || min === undefined || max === undefined || min > max) return undefined;
  return { min, max, isStrict, isMaxStrict };
}

const isBeside = ({ rest }: QueryText, { index, 0: words }: RegExpExecArray): boolean =>
  afterFirst.test(rest.slice(0, index)) || beforeFirst.test(rest.slice(index + words.length));

/** Returns whether a word follows the removed bound, or a token follows the other one. */
function namesToken(text: QueryText, match: RegExpExecArray, isSymbol: IsSymbol): boolean {
  return /\|\s*\$?(?!(?:and|but)\b)[A-Za-z]/i.test(text.rest) || isSymbol(wordAfter(text, match));
}

/** Finds the first match of a pattern whose group `at` names a token. */
function findOfToken(
  { rest }: QueryText,
  pattern: RegExp,
  at: number,
  isSymbol: IsSymbol,
): RegExpExecArray | undefined {
  return [...rest.matchAll(pattern)].find((match) => isSymbol(match.at(at) ?? ''));
}

function takeBare(text: QueryText, isSymbol: IsSymbol): AmountBounds | undefined {
  const range = text.find(dollarRange) ?? findOfToken(text, bareRange, -1, isSymbol);
  if (range) {
    text.cut(range);
    const words = range[0].trim();
    return { ...between(readNumbers(words)), unit: readUnit(words), words };
  }
  const bare = findOfToken(text, bareAmount, -1, isSymbol);
  if (bare) {
    text.cut(bare);
    return { ...near(readNumbers(bare[0]), 0.005), unit: 'token', words: bare[0].trim() };
  }
  const dollars = text.take(dollarAmount)?.[0];
  if (dollars) return { ...near(readNumbers(dollars), 0.02), unit: 'usd', words: dollars.trim() };
  return undefined;
}

/** Takes an amount whose bound follows the token, such as "5 FAT or more". Leaves the token in the text. */
function takeOpenAmount(text: QueryText, isSymbol: IsSymbol): AmountBounds | undefined {
  const match = findOfToken(text, openAmount, -2, isSymbol);
  if (!match) return undefined;
  const [symbol = '', bound = ''] = match.slice(-2);
  text.cut(match);
  text.take(new RegExp(String.raw`(?<=\|\s+${escapePattern(symbol)}\s*)${openBound}`, 'i'));
  const [value] = readNumbers(match[0]);
  const isMinimum = /more|up|above|\+/i.test(bound);
  const range = isMinimum ? { min: value, max: undefined } : { min: undefined, max: value };
  return { ...range, isStrict: false, unit: 'token', words: `${match[0].trim()} ${bound}` };
}

function wordAfter({ rest }: Pick<QueryText, 'rest'>, { index, 0: words }: RegExpExecArray): string {
  return /^\s+([A-Za-z][\w.]*)/.exec(rest.slice(index + words.length))?.[1] ?? '';
}

function between([a = Number.NaN, b = Number.NaN]: readonly number[]) {
  return { min: Math.min(a, b), max: Math.max(a, b), isStrict: false };
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
