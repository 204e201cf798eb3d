import test from 'ava';
import fc from 'fast-check';
import { interpret } from '#semantic/interpretation.ts';
import { maxQueryLength, parseQuery } from '#semantic/parse/parse-query.ts';
import type { TokenWords } from '#semantic/parse/parse-tokens.ts';
import { toSearchScope } from '#semantic/search-scope.ts';

const now = new Date('2026-06-15T12:00:00Z');
const tokens: TokenWords = {
  symbols: new Set(['FAT', 'USDC', 'LOOM', 'RENT', 'BINANCE']),
  labelWords: new Set(['binance']),
  nativeSymbol: 'FAT',
  isWord: (word) => ['loom', 'rent', 'fat'].includes(word),
};
const parse = (query: string) => parseQuery(query, now, tokens);
const iso = (seconds: number | undefined) => seconds && new Date(seconds * 1000).toISOString().slice(0, 19);

const words = [
  'over',
  'under',
  'between',
  'and',
  'since',
  'before',
  'last',
  'week',
  'march',
  'may',
  'Q1',
  '2026',
  '31',
  '1,000',
  '5k',
  '$',
  'USDC',
  'fat',
];
const more = [
  'incoming',
  'sent to me',
  'failed',
  'largest',
  '#7',
  'block',
  '0x',
  `0x${'ab'.repeat(20)}`,
  `0x${'cd'.repeat(32)}`,
  '3 days ago',
  'from',
  'to',
  '|',
  '(',
  '\\',
];
const typed = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 600 }),
  fc
    .array(fc.oneof(fc.constantFrom(...words, ...more), fc.string({ maxLength: 6 }), fc.nat().map(String)), {
      maxLength: 14,
    })
    .map((list) => list.join(' ')),
);

test('parser never throws, and its predicates are consistent', (t) => {
  fc.assert(
    fc.property(
      typed,
      fc.date({ min: new Date('1971-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }),
      (query, at) => {
        const { amount, time, ids, tokens: found, residual } = parseQuery(query, at, tokens);
        if (amount) {
          const bounds = [amount.min, amount.max].filter((value) => value !== undefined);
          if (bounds.length === 0 || !bounds.every((value) => Number.isFinite(value) && value >= 0)) return false;
          if (amount.min !== undefined && amount.max !== undefined && amount.min > amount.max) return false;
        }
        if (time && ![time.fromTime, time.toTime].every((value) => value === undefined || Number.isSafeInteger(value)))
          return false;
        if (time && time.fromTime === undefined && time.toTime === undefined) return false;
        if (ids.blockNumber && !Number.isSafeInteger(ids.blockNumber.value)) return false;
        return found.every(({ value }) => tokens.symbols.has(value)) && residual.length <= maxQueryLength;
      },
    ),
    { numRuns: 1_500 },
  );
  t.pass();
});

test('a symbol that is a word of a registered name is recognized only in capitals', (t) => {
  t.deepEqual(parse('withdrawals to binance').tokens, []);
  t.regex(parse('withdrawals to binance').residual, /binance/);
  t.is(parse('withdrawals of BINANCE').tokens[0]?.value, 'BINANCE');
  t.is(parse('withdrawals of usdc').tokens[0]?.value, 'USDC');
});

test('two tokens are looked for in one event only if it is a swap, and block 0 is a filter', (t) => {
  const scope = (query: string) => toSearchScope(parse(query), undefined, 9, new Map());
  const { symbols, min_symbols } = scope('received USDC or LOOM last month').parameters;
  t.deepEqual([symbols, min_symbols], [['USDC', 'LOOM'], 1]);
  t.is(scope('swapped USDC for LOOM').parameters.min_symbols, 2);
  t.is(scope('swapped USDC or LOOM for FAT').parameters.min_symbols, 2, 'no event has three tokens');
  t.is(scope('swaps of USDC or LOOM').parameters.min_symbols, 1);
  t.true(scope('transactions in block 0').asked.includes('from_block'));
  t.false(scope('transactions').asked.includes('from_block'));
});

test('unparsed words remain for the search by meaning', (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('lawyer', 'coffee', 'domain', 'roommate', 'charity'), { minLength: 1, maxLength: 6 }),
      (list) => {
        return parse(list.join(' ')).residual === list.join(' ');
      },
    ),
  );
  t.pass();
});

const times: Readonly<Record<string, readonly [string | undefined, string | undefined]>> = {
  'in march': ['2026-03-01T00:00:00', '2026-03-31T23:59:59'],
  'in december': ['2025-12-01T00:00:00', '2025-12-31T23:59:59'],
  'last week': ['2026-06-08T00:00:00', '2026-06-14T23:59:59'],
  'last month': ['2026-05-01T00:00:00', '2026-05-31T23:59:59'],
  yesterday: ['2026-06-14T00:00:00', '2026-06-14T23:59:59'],
  'this year': ['2026-01-01T00:00:00', '2026-12-31T23:59:59'],
  'Q1 2026': ['2026-01-01T00:00:00', '2026-03-31T23:59:59'],
  'since march 3': ['2026-03-03T00:00:00', undefined],
  'before 2026-02-01': [undefined, '2026-01-31T23:59:59'],
  'between 3 march and 5 april 2026': ['2026-03-03T00:00:00', '2026-04-05T23:59:59'],
  'between 2026-01-01 and 2026-02-01': ['2026-01-01T00:00:00', '2026-02-01T23:59:59'],
  'from 2026-01-01 to 2026-02-01': ['2026-01-01T00:00:00', '2026-02-01T23:59:59'],
  'from 2023 to 2024': ['2023-01-01T00:00:00', '2024-12-31T23:59:59'],
  'between 2023 and 2024': ['2023-01-01T00:00:00', '2024-12-31T23:59:59'],
  'between 3 and 10 March 2026': ['2026-03-03T00:00:00', '2026-03-10T23:59:59'],
  'up to 5 March 2026': [undefined, '2026-03-05T23:59:59'],
  'from january to february': ['2026-01-01T00:00:00', '2026-02-28T23:59:59'],
  'last 3 days': ['2026-06-12T12:00:00', '2026-06-15T12:00:00'],
  '2 months ago': ['2026-04-01T00:00:00', '2026-04-30T23:59:59'],
  'between january 1 and march 31, 2025': ['2025-01-01T00:00:00', '2025-03-31T23:59:59'],
  'between 1 march and 5 march 2025': ['2025-03-01T00:00:00', '2025-03-05T23:59:59'],
  'from 1 november to 5 december 2024': ['2024-11-01T00:00:00', '2024-12-05T23:59:59'],
  'between 2026 and 2025': ['2025-01-01T00:00:00', '2026-12-31T23:59:59'],
  'after 2026-01-01 and before 2026-02-01': ['2026-01-02T00:00:00', '2026-01-31T23:59:59'],
  'since january until march': ['2026-01-01T00:00:00', '2026-03-31T23:59:59'],
  'from jan to mar': ['2026-01-01T00:00:00', '2026-03-31T23:59:59'],
  'from january to may': ['2026-01-01T00:00:00', '2026-05-31T23:59:59'],
  'between may and june': ['2026-05-01T00:00:00', '2026-06-30T23:59:59'],
  'from may to july': ['2025-05-01T00:00:00', '2025-07-31T23:59:59'],
  'more than 3 days ago': [undefined, '2026-06-11T23:59:59'],
  'less than 3 days ago': ['2026-06-12T00:00:00', undefined],
  'more than a year ago': [undefined, '2025-06-15T11:59:59'],
  'over a month ago': [undefined, '2026-05-15T11:59:59'],
  'less than 2 hours ago': ['2026-06-15T10:00:00', undefined],
};
for (const [query, [from, to]] of Object.entries(times)) {
  test(`time window is parsed: ${query}`, (t) => {
    const { time, residual, amount } = parse(`coffee ${query}`);
    t.is(amount, undefined);
    t.deepEqual([iso(time?.fromTime), iso(time?.toTime), residual], [from, to, 'coffee']);
  });
}

test('words after a start are no end of the period', (t) => {
  const { time, residual } = parse('sent since january to marketing');
  t.deepEqual([iso(time?.fromTime), time?.toTime, residual], ['2026-01-01T00:00:00', undefined, 'sent to marketing']);
});

test('months are counted back from the last days of a month', (t) => {
  const from = (query: string, at: string) => iso(parseQuery(query, new Date(at), tokens).time?.fromTime);
  t.is(from('coffee 1 month ago', '2026-12-31T12:00:00Z'), '2026-11-01T00:00:00');
  t.is(from('coffee 1 month ago', '2026-03-31T12:00:00Z'), '2026-02-01T00:00:00');
  t.is(from('coffee 1 quarter ago', '2026-12-31T12:00:00Z'), '2026-07-01T00:00:00');
});

test('month that may be a verb counts only after a preposition', (t) => {
  t.is(parse('who may spend').time, undefined);
  t.truthy(parse('rent in may').time);
});

test('amounts are parsed with bounds and units', (t) => {
  const bounds = (query: string) => {
    const { amount } = parse(query);
    return amount && [amount.min, amount.max, amount.unit, amount.isStrict];
  };
  t.deepEqual(bounds('over 1,000 USDC'), [1000, undefined, 'token', true]);
  t.deepEqual(bounds('between 5k and 10k'), [5000, 10000, 'token', false]);
  t.deepEqual(bounds('at least $2.5m'), [2.5e6, undefined, 'usd', false]);
  t.deepEqual(bounds('less than 20 dollars'), [undefined, 20, 'usd', true]);
  t.is(bounds('over 3 days'), undefined);
  t.deepEqual(bounds('5 USDC or more'), [5, undefined, 'token', false]);
  t.deepEqual(bounds('5 usdc or less'), [undefined, 5, 'token', false]);
  t.deepEqual(bounds('between 2000 and 2100 USDC'), [2000, 2100, 'token', false]);
  t.deepEqual(bounds('between 2000-5000 USDC'), [2000, 5000, 'token', false]);
  t.deepEqual(bounds('over 5 MARS'), [5, undefined, 'token', true]);
  t.deepEqual(bounds('over 100 marketplace sales'), [100, undefined, 'token', true]);
  t.deepEqual(bounds('less than 5 FAT or more than 100 FAT'), [100, undefined, 'token', true]);
  t.deepEqual(bounds('over 100 USDC or under 10 USDC'), [100, undefined, 'token', true]);
  t.deepEqual(bounds('about 500 USDC plus gas'), [450, 550, 'token', false]);
  for (const query of ['blocks 1000 to 2000', 'over 5 USDC and 2000 FAT', '5 to 10 MARS'])
    t.is(parse(query).time, undefined, query);
  t.deepEqual(bounds('more than 3 USDC on 2026-03-05'), [3, undefined, 'token', true]);
  // letters after a number are a currency, symbol or word, not a scale
  t.deepEqual(bounds('over 500usd'), [500, undefined, 'usd', true]);
  t.deepEqual(bounds('over 5 MATIC'), [5, undefined, 'token', true]);
  t.deepEqual(bounds('over 5 bnb'), [5, undefined, 'token', true]);
  t.deepEqual(bounds('more than 5 kittens'), [5, undefined, 'token', true]);
  t.deepEqual(bounds('over 5bn'), [5e9, undefined, 'token', true]);
});

test('words that exclude turn no filter around, and blocks have ranges', (t) => {
  const hard = (query: string) => parse(query).tokens.flatMap(({ value, isHard }) => (isHard ? value : []));
  for (const words of ['payments except USDC', 'everything not in USDC', 'paid without any $USDC'])
    t.deepEqual(hard(words), [], words);
  t.deepEqual(hard('payments in USDC except FAT'), ['USDC']);
  t.deepEqual(hard('not more than 5 USDC'), ['USDC']);
  for (const words of ['transactions that have not failed', 'payments without errors', 'never reverted', "didn't fail"])
    t.is(parse(words).status?.value, 'ok', words);
  t.is(parse('failed payments').status?.value, 'failed');
  const blocks = (query: string) => {
    const { blocks: range, blockNumber } = parse(query).ids;
    return range ? [range.from, range.to] : blockNumber?.value;
  };
  t.deepEqual(blocks('payments since block 12,000'), [12_000, undefined]);
  t.deepEqual(blocks('before block 100'), [undefined, 99]);
  t.deepEqual(blocks('up to block #100'), [undefined, 100]);
  for (const words of [
    'between block 100 and 200',
    'from block 100 to 200',
    'blocks 100-200',
    'block 100 to block 200',
    'between heights 100 and 200',
  ])
    t.deepEqual(blocks(words), [100, 200], words);
  t.is(blocks('payments in block 100'), 100);
});

test('both bounds of an amount count, and negated bounds are not turned around', (t) => {
  const filter = (query: string) => interpret(parse(query)).predicates.find(({ field }) => field === 'amount')?.value;
  t.is(filter('over 100 and under 500 USDC'), 'more than 100 and less than 500 tokens');
  t.is(filter('over 100 USDC and under 500 USDC'), 'more than 100 and less than 500 tokens');
  t.is(filter('under 500 USDC but at least 100 USDC'), 'at least 100 and less than 500 tokens');
  t.is(filter('>= 100 and <= 500 FAT'), '100 to 500 tokens');
  t.is(filter('> $100 <= $500'), 'more than 100 and at most 500 US dollars');
  t.is(filter('100-500 FAT'), '100 to 500 tokens');
  t.is(filter('5 to 10 USDC'), '5 to 10 tokens');
  t.is(filter('over 500 FAT and under 100 FAT'), 'more than 500 tokens', 'no range');
  t.is(filter('over 5 LOOM and under $100000'), 'more than 5 tokens', 'bounds of different units are no range');
  t.is(filter('over $100 and under 500'), 'more than 100 and less than 500 US dollars');
  t.is(filter('$100 to $500 USDC'), '100 to 500 US dollars');
  t.is(filter('$100-$500 payments'), '100 to 500 US dollars');
  t.is(filter('not greater than 5 FAT'), 'at most 5 tokens');
  t.regex(filter('paid 500 loom')!, /^497\.5 to 502\./, 'a number shows that the word is a token');
  t.regex(filter('in the last 30 days 500 USDC')!, /^497\.5 to 502\./);
  t.regex(parse('500 shops sent 500 USDC').residual, /^500 shops/, 'the amount is removed where it was found');
  for (const words of ['not more than', 'not over', 'no more than', 'not exceeding'])
    t.is(filter(`${words} 5 FAT`), 'at most 5 tokens');
  for (const words of ['not less than', 'not under', 'no fewer than'])
    t.is(filter(`${words} 5 FAT`), 'at least 5 tokens');
});

test('a token with the name of a unit of time changes no period', (t) => {
  const spam = { ...tokens, symbols: new Set(['DAYS', 'MARCH', 'PAYMENTS', 'MONTHS']), isWord: () => true };
  const found = (query: string) => {
    const { amount, time } = parseQuery(query, now, spam);
    return [amount, iso(time?.fromTime), iso(time?.toTime)];
  };
  t.deepEqual(found('payments in the last 30 days'), [undefined, '2026-05-16T12:00:00', '2026-06-15T12:00:00']);
  t.deepEqual(found('paid on 5 March'), [undefined, '2026-03-05T00:00:00', '2026-03-05T23:59:59']);
  t.deepEqual(found('top 10 payments'), [undefined, undefined, undefined]);
  t.is(parseQuery('10 PAYMENTS', now, spam).amount?.unit, 'token');
  t.is(parseQuery('100 BLOCK', now, { ...spam, symbols: new Set(['BLOCK']) }).amount?.unit, 'token');
});

test('direction, status, tokens, order and ids are parsed', (t) => {
  t.like(parse('incoming payments').direction, { value: 'in', isHard: true });
  t.like(parse('coins sent to me').direction, { value: 'in', isHard: true });
  t.like(parse('what I spent').direction, { value: 'out', isHard: false });
  t.like(parse('failed swaps').status, { value: 'failed', isHard: true });
  t.deepEqual(
    parse('usdc to fat').tokens.map(({ value }) => value),
    ['USDC', 'FAT'],
  );
  t.deepEqual(parse('pay the rent').tokens, []);
  t.deepEqual(
    parse('bought RENT').tokens.map(({ value }) => value),
    ['RENT'],
  );
  t.like(parse('swapped LOOM for USDC').into, { value: 'USDC' });
  t.like(parse('largest payments').order, { value: 'largest', isHard: true });
  t.is(parse('last payment to mom').order?.value, 'latest');
  t.is(parse(`what is 0x${'AB'.repeat(32)}`).ids.transactionHash?.value, `0x${'ab'.repeat(32)}`);
  t.is(parse('token #4154').ids.tokenId?.value, '4154');
  t.is(parse('in block 7,403,069').ids.blockNumber?.value, 7403069);
  t.is(parse('block 99999999999999999').ids.blockNumber?.value, Number.MAX_SAFE_INTEGER, 'finds nothing');
  t.is(parse('payments from Kraken').direction?.value, 'in');
  t.is(parse('payments to Kraken').direction?.value, 'out');
  const account = `0x${'ab'.repeat(20)}`;
  t.is(parse(`payments from ${account}`).direction?.value, 'in');
  t.is(parse(`transfers to ${account}`).direction?.value, 'out');
  t.is(parse(`received from ${account}`).direction?.value, 'in');
});
