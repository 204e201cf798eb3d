/** Regular expressions on user text must take linear time. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import test from 'ava';
import jsTokens from 'js-tokens';
import { maxQueryLength, parseQuery } from '#semantic/parse/parse-query.ts';

const root = join(import.meta.dirname, '../..');
const folders = ['api', 'chain', 'edge', 'gateway', 'registry', 'runtime/budgets', 'semantic', 'sql'];
/** Repeated text whose end makes a pattern fail late. */
const pumps = [
  '1',
  'a',
  'A',
  ' ',
  '_',
  ',',
  '.',
  '-',
  '/',
  '0x',
  '1,',
  'a.',
  'a ',
  'Aa',
  'aA',
  ' 1',
  '\n',
  '"',
  "'",
  '{',
  '(',
  '%2',
  '=',
  '&a=',
  'é',
];
const ends = ['', '!', 'x'];
const [short, long] = [2_000, 16_000];

interface Pattern {
  readonly file: string;
  readonly pattern: RegExp;
}

function listPatterns(file: string): Pattern[] {
  const literals = [...jsTokens(readFileSync(file, 'utf8'))].filter(({ type }) => type === 'RegularExpressionLiteral');
  return literals.flatMap(({ value }) => {
    const [, source, flags] = /^\/(.*)\/([dgimsuvy]*)$/s.exec(value) ?? [];
    return source === undefined ? [] : [{ file, pattern: new RegExp(source, flags!.replace(/[gy]/g, '')) }]; // otherwise a division, not a regular expression
  });
}

/** Returns the shortest of several runs, ms, because other processes may interfere. */
function measureTime(work: () => void): number {
  const runs = Array.from({ length: 3 }, () => {
    const startedAt = performance.now();
    work();
    return performance.now() - startedAt;
  });
  return Math.min(...runs);
}

test('no pattern takes quadratic time', (t) => {
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(root, folder, name)),
  );
  const patterns = files.flatMap(listPatterns);
  t.true(patterns.length > 150, `${patterns.length} patterns`);
  const slow = new Set<string>();
  for (const { file, pattern } of patterns)
    for (const pump of pumps)
      for (const end of ends) {
        const run = (length: number) => {
          const text = pump.repeat(length / pump.length) + end;
          return measureTime(() => void pattern.test(text));
        };
        const took = run(long);
        // for a text 8 times as long, quadratic time grows by 64, linear time by 8
        if (took > 20 && took > 24 * run(short))
          slow.add(`${relative(root, file)} ${pattern} on ${JSON.stringify(pump)}…`);
      }
  t.deepEqual([...slow], []);
});

test('query of any kind is parsed in linear time', (t) => {
  const words = {
    symbols: new Set(['FAT', 'USDC']),
    labelWords: new Set<string>(),
    nativeSymbol: 'FAT',
    isWord: () => true,
  };
  const now = new Date('2026-03-01T00:00:00Z');
  const leads = [
    '',
    'between ',
    'from ',
    'over ',
    'at least ',
    '$',
    'since ',
    'swapped a b c ',
    'block ',
    'id ',
    'last ',
  ];
  const longer = [
    'between 1 and ',
    'the ',
    'since the ',
    'from 1 to ',
    '3 days ',
    'jan ',
    'usd ',
    '$1 ',
    '12,',
    '1_',
    '1.1',
    'not ',
  ];
  for (const lead of leads)
    for (const pump of [...pumps, ...longer]) {
      const question = (lead + pump.repeat(maxQueryLength)).slice(0, maxQueryLength - 1);
      const took = measureTime(() => void parseQuery(`${question}!`, now, words));
      const half = measureTime(() => void parseQuery(`${question.slice(0, maxQueryLength / 4)}!`, now, words));
      t.true(took < 10 || took < 8 * half, `${took} ms, of a quarter ${half} ms: ${question.slice(0, 40)}…`);
    }
});
