/**
 * Finds a period in a search query, such as "last week", "since March", "3 days ago". Times are UTC. Weeks begin on
 * Monday.
 */
import type { TimeWindow } from './predicates.ts';
import { type Groups, type QueryText, readGroups } from './query-text.ts';

const day = 86_400;
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** Pattern of the name of a month, in a group. */
export const month = String.raw`(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?`;
const dayOfMonth = String.raw`(\d{1,2})(?:st|nd|rd|th)?`;
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const numerals = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const counts: Readonly<Record<string, number>> = {
  ...Object.fromEntries(numerals.map((word, i) => [word, i])),
  'couple of': 2,
  few: 3,
};
const count = String.raw`(\d{1,4}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|a|an|couple of|few)`;
const unit = '(minute|hour|day|week|month|quarter|year)s?';

/** First and last second of a period, Unix seconds. */
type Span = readonly [start: number, end: number];

interface Form {
  readonly pattern: RegExp;
  readonly span: (now: Date, ...groups: Groups) => Span | undefined;
}

const form = (pattern: string, span: Form['span']): Form => ({ pattern: new RegExp(pattern, 'i'), span });

/** The first match wins, so specific patterns come first. */
const forms: readonly Form[] = [
  form(String.raw`\b(\d{4})-(\d{2})-(\d{2})(?:t[\d:.]+z?)?\b`, (_, y, m, d) =>
    dayAt(Number(y), Number(m) - 1, Number(d)),
  ),
  form(
    String.raw`\b(\d{1,2}(?:st|nd|rd|th)?\s*(?:and|to|-|–)\s*\d{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?${month}(?!\w)(?:,?\s+(\d{4})\b)?`,
    (now, days, m, y) => {
      const [first = 0, last = 0] = (days.match(/\d+/g) ?? []).map(Number);
      const start = dated(now, m, first, y);
      const end = start && dayAt(new Date(start[0] * 1000).getUTCFullYear(), monthIndex(m), last);
      return end && [start[0], end[1]];
    },
  ),
  form(String.raw`\b(\d{4})-(\d{2})\b(?!-)`, (_, y, m) => monthAt(Number(y), Number(m) - 1)),
  form(String.raw`\b${month}\s+${dayOfMonth}\b(?:,?\s+(\d{4})\b)?`, (now, m, d, y) => dated(now, m, Number(d), y)),
  form(String.raw`\b${dayOfMonth}\s+(?:of\s+)?${month}\b(?:,?\s+(\d{4})\b)?`, (now, d, m, y) =>
    dated(now, m, Number(d), y),
  ),
  form(String.raw`\b${month}\s+(?:of\s+)?(\d{4})\b`, (_, m, y) => monthAt(Number(y), monthIndex(m))),
  form(String.raw`\b(?:q([1-4])|(first|second|third|fourth) quarter)(?:\s+(?:of\s+)?(\d{4}))?\b`, (now, q, word, y) =>
    quarter(now, q ? Number(q) : ['first', 'second', 'third', 'fourth'].indexOf(word.toLowerCase()) + 1, y),
  ),
  form(String.raw`\b${count}\s+${unit}\s+ago\b`, (now, n, u) => ago(now, readCount(n), u)),
  form(String.raw`\b(?:the\s+)?(?:last|past|previous|recent)\s+${count}\s+${unit}\b`, (now, n, u) => [
    toSeconds(shift(now, u, -readCount(n))),
    toSeconds(now),
  ]),
  form(String.raw`\b(?:the\s+)?past\s+${unit}\b`, (now, u) => [toSeconds(shift(now, u, -1)), toSeconds(now)]),
  form(String.raw`\b(?:the\s+)?(last|previous|this|current)\s+(week|month|quarter|year)\b`, (now, which, u) =>
    calendar(now, u, /last|previous/i.test(which) ? -1 : 0),
  ),
  form(String.raw`\b(?:the )?day before yesterday\b`, (now) => dayOffset(now, -2)),
  form(String.raw`\b(?:yesterday|last night)\b`, (now) => dayOffset(now, -1)),
  form(String.raw`\b(?:today|tonight|this morning|this afternoon|this evening)\b`, (now) => dayOffset(now, 0)),
  form(String.raw`\b(?:last\s+|on\s+)(${weekdays.join('|')})\b`, (now, name) => {
    const back = (now.getUTCDay() - weekdays.indexOf(name.toLowerCase()) + 7) % 7 || 7;
    return dayOffset(now, -back);
  }),
  form(String.raw`\b(?:last|this)\s+weekend\b`, (now) => {
    const saturday = dayOffset(now, -((now.getUTCDay() + 1) % 7 || 7));
    return [saturday[0], saturday[1] + day];
  }),
  // one pattern, so that the first of two months counts; short names and "may" need a preposition or an earlier month
  form(
    String.raw`\b(?:last\s+)?(january|february|march|april|june|july|august|september|october|november|december)\b|(?<=\b(?:in|since|during|until|till|before|after|of|from|between|last|this|early|late|mid)\s+|\|\s+(?:and|to|through|-|–)\s+)${month}(?=\s|$|[,.;?!|])`,
    (now, long, short) => latestMonth(now, monthIndex(long || short)),
  ),
  // "and 2024" means a year only after a removed period
  form(
    String.raw`(?<=\b(?:in|since|during|until|till|before|after|of|from|between|year)\s+|\|\s+(?:and|to|through|-|–)\s+)(20\d\d)\b`,
    (now, y) => (Number(y) <= now.getUTCFullYear() + 1 ? yearAt(Number(y)) : undefined),
  ),
];

export function takeTime(text: QueryText, now: Date): TimeWindow | undefined {
  for (const { pattern, span } of forms) {
    const match = text.find(pattern);
    const found = match && span(now, ...readGroups(match));
    if (match && found?.every(Number.isFinite) && found[1] >= found[0]) return takeWindow(text, now, match, found);
  }
  return undefined;
}

/** Applies the words before a period: "since March" has no end, "before March" has no start. */
function takeWindow(text: QueryText, now: Date, match: RegExpExecArray, [from, to]: Span): TimeWindow {
  const before = text.rest.slice(0, match.index);
  const lead =
    /(?:\b(since|after|before|until|till|by|from|between|in|on|during|of|for|over|within|the|starting|up to|more than|less than|earlier than|later than|prior to)\s+)+$/i.exec(
      before,
    );
  const word = lead?.[0].trim().toLowerCase() ?? '';
  const start = match.index - (lead?.[0].length ?? 0);
  const words = text.rest.slice(start, match.index + match[0].length);
  text.cut({ index: start, 0: words });
  if (/\bago\b/i.test(match[0]) && /\b(more than|less than|over|within)\b/.test(word))
    return aroundAgo(word, readAgo(now, match[0]) ?? from, words);
  const isAfter = /\b(after|later than)\b/.test(word);
  if (isAfter || /\b(since|from|between|starting)\b/.test(word)) {
    const second = takeEnd(text, now);
    const first = isAfter ? to + 1 : from;
    if (second) return toRange([first, to], second, words);
    if (!/\bbetween\b/.test(word)) return window(first, undefined, words);
  }
  return endWindow(word, [from, to], words);
}

/** Returns the time of "2 months ago", Unix seconds; undefined for "2 days ago", which means that entire day. */
function readAgo(now: Date, words: string): number | undefined {
  const [, n = '', name = ''] = new RegExp(`${count}\\s+${unit}`, 'i').exec(words) ?? [];
  return /^day$/i.test(name) ? undefined : toSeconds(shift(now, name, -readCount(n)));
}

/** @param lead words before the period, such as "more than" */
function aroundAgo(lead: string, then: number, words: string): TimeWindow {
  return /\b(more than|over)\b/.test(lead) ? window(undefined, then - 1, words) : window(then, undefined, words);
}

/** @param lead words before the period */
function endWindow(lead: string, [from, to]: Span, words: string): TimeWindow {
  if (/\b(before|prior to|earlier than)\b/.test(lead)) return window(undefined, from - 1, words);
  if (/\b(until|till|by|up to)\b/.test(lead)) return window(undefined, to, words);
  return window(from, to, words);
}

/** Query words between a removed start and an end. */
const toEnd = '(?:and|to|until|till|through|before|up to|-|–)';
const endPeriod = String.raw`(?:\d|q[1-4]\b|${month}(?!\w)|(?:${weekdays.join('|')}|yesterday|today|last|this|now)\b)`;
const isEndNext = new RegExp(
  String.raw`\|\s+${toEnd}\s+(?:(?:until|till|before|by|up to|on|in|the)\s+)*${endPeriod}`,
  'i',
);

function takeEnd(text: QueryText, now: Date): TimeWindow | undefined {
  if (!isEndNext.test(text.rest)) return undefined;
  const end = takeTime(text, now);
  if (end) text.take(new RegExp(String.raw`(?<=\|\s*)${toEnd}(?=\s*\|)`, 'i'));
  return end;
}

/** Returns the range from `start` to `end`. If `end` is earlier, a start without a year moves to an earlier year. */
function toRange([start, last]: Span, end: TimeWindow, words: string): TimeWindow {
  const both = `${words} ${end.words}`;
  const { toTime } = end;
  if (toTime === undefined || start <= toTime) return window(start, toTime, both);
  if (/\b\d{4}\b/.test(words)) return window(end.fromTime ?? toTime, last, both); // the later period came first
  const date = new Date(start * 1_000);
  while (toSeconds(date) > toTime) date.setUTCFullYear(date.getUTCFullYear() - 1);
  return window(toSeconds(date), toTime, both);
}

function window(fromTime: number | undefined, toTime: number | undefined, words: string): TimeWindow {
  return { fromTime, toTime, words: words.trim() };
}

export function escapePattern(words: string): string {
  return words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function toSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}

function at(year: number, monthOfYear: number, date = 1): number {
  return Date.UTC(year, monthOfYear, date) / 1000;
}

function dayAt(year: number, monthOfYear: number, date: number): Span | undefined {
  const start = at(year, monthOfYear, date);
  return new Date(start * 1000).getUTCDate() === date && monthOfYear >= 0 && monthOfYear < 12
    ? [start, start + day - 1]
    : undefined;
}

function monthAt(year: number, monthOfYear: number): Span | undefined {
  return monthOfYear >= 0 && monthOfYear < 12 ? [at(year, monthOfYear), at(year, monthOfYear + 1) - 1] : undefined;
}

function yearAt(year: number): Span {
  return [at(year, 0), at(year + 1, 0) - 1];
}

function monthIndex(name: string): number {
  return months.indexOf(name.slice(0, 3).toLowerCase());
}

function latestMonth(now: Date, index: number): Span | undefined {
  return monthAt(now.getUTCFullYear() - (index > now.getUTCMonth() ? 1 : 0), index);
}

function dated(now: Date, name: string, date: number, year: string): Span | undefined {
  const index = monthIndex(name);
  if (year) return dayAt(Number(year), index, date);
  const thisYear = dayAt(now.getUTCFullYear(), index, date);
  return thisYear && thisYear[0] > toSeconds(now) ? dayAt(now.getUTCFullYear() - 1, index, date) : thisYear;
}

function quarter(now: Date, number: number, year: string): Span {
  const first = (number - 1) * 3;
  const y = year ? Number(year) : now.getUTCFullYear() - (first > now.getUTCMonth() ? 1 : 0);
  return [at(y, first), at(y, first + 3) - 1];
}

function dayOffset(now: Date, days: number): Span {
  const start = at(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + days);
  return [start, start + day - 1];
}

function readCount(words: string): number {
  if (/^\d/.test(words)) return Number(words);
  return counts[words.toLowerCase()] ?? 1;
}

/** Keeps the day of the month, or uses the month's last day: one month before 31 December is 30 November. */
function addMonths(date: Date, by: number): void {
  const dayOfMonth = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + by + 1, 0);
  date.setUTCDate(Math.min(dayOfMonth, date.getUTCDate()));
}

function shift(now: Date, name: string, by: number): Date {
  const date = new Date(now);
  const unitName = name.toLowerCase();
  if (unitName === 'year') addMonths(date, 12 * by);
  else if (unitName === 'quarter') addMonths(date, 3 * by);
  else if (unitName === 'month') addMonths(date, by);
  else date.setTime(date.getTime() + by * 1000 * { minute: 60, hour: 3_600, day, week: 7 * day }[unitName as 'day']);
  return date;
}

/** Returns a day for "3 days ago", a month for "2 months ago". */
function ago(now: Date, n: number, name: string): Span | undefined {
  const then = shift(now, name, -n);
  const unitName = name.toLowerCase();
  if (unitName === 'minute' || unitName === 'hour') return [toSeconds(then) - 1_800, toSeconds(then) + 1_800];
  return unitName === 'day' ? dayOffset(then, 0) : calendar(then, unitName, 0);
}

function calendar(now: Date, name: string, by: number): Span | undefined {
  const [y, m] = [now.getUTCFullYear(), now.getUTCMonth()];
  switch (name.toLowerCase()) {
    case 'week': {
      const monday = dayOffset(now, -((now.getUTCDay() + 6) % 7) + 7 * by)[0];
      return [monday, monday + 7 * day - 1];
    }
    case 'month':
      return [at(y, m + by), at(y, m + by + 1) - 1];
    case 'quarter': {
      const first = Math.floor(m / 3) * 3 + 3 * by;
      return [at(y, first), at(y, first + 3) - 1];
    }
    default:
      return yearAt(y + by);
  }
}
