import test from 'ava';
import fc from 'fast-check';
import { parseQuery } from '#semantic/parse/parse-query.ts';
import { rankShapes } from '#semantic/rank.ts';
import { renderShape } from '#semantic/render-shape.ts';
import { type Shape, shapeId } from '#semantic/shape.ts';
import { queryWords, scoreTexts } from '#semantic/soft-bm25.ts';
import { TermTable } from '#semantic/term-table.ts';
import { WordVectors } from '#semantic/word-vectors.ts';
import { createShape, matchesText } from '#test/helpers/shapes.ts';

const vectors = new WordVectors();

test('shape id depends on every field', (t) => {
  const base = createShape({});
  t.is(shapeId(base), shapeId({ ...base }));
  for (const name of Object.keys(base)) t.not(shapeId({ ...base, [name]: 'other' } as Shape), shapeId(base), name);
  t.not(shapeId(createShape({ label: 'ab', category: 'c' })), shapeId(createShape({ label: 'a', category: 'bc' })));
});

test('any name of the chain can be rendered, also names of object members', (t) => {
  fc.assert(
    fc.property(
      fc.record(
        Object.fromEntries(
          Object.keys(createShape({})).map((name) => [
            name,
            fc.oneof(fc.string(), fc.constantFrom('constructor', '__proto__', 'toString')),
          ]),
        ),
      ),
      (fields) => {
        const { facts, meaning } = renderShape(fields as unknown as Shape);
        return typeof facts === 'string' && !/undefined|function|\[object/.test(meaning);
      },
    ),
  );
  t.pass();
});

test('text describes a shape by direction', (t) => {
  const exchange = { label: 'Orca Exchange: Hot Wallet', category: 'exchange' };
  t.true(matchesText(createShape({ direction: 'in', ...exchange }), 'withdrawal'));
  t.false(matchesText(createShape({ direction: 'out', ...exchange }), 'withdrawal'));
  t.true(matchesText(createShape({ label: 'Harbor View Apartments', category: 'merchant' }), 'landlord'));
  t.true(matchesText(createShape({ kind: 'contract_call', method: 'castVote', category: 'dao' }), 'ballot'));
});

test('similar words match at a lower weight and are reported', (t) => {
  const table = new TermTable(vectors);
  const texts = ['mobile carrier', 'coffee shop', 'law firm'].map((text) => table.analyse(text, ''));
  const [phone, coffee] = ['telephone', 'coffee'].map((word) => scoreTexts(queryWords(word), texts, table));
  t.true(phone![0]!.score > 0 && phone![0]!.score < coffee![1]!.score);
  t.is(phone![1]!.score, 0);
  t.is(phone![0]!.matches[0]!.met, 'mobile');
  t.is(coffee![1]!.coverage, 1);
});

test('matching words decide the ranking, vectors decide without matches', (t) => {
  const query = parseQuery('anything', new Date(0), {
    symbols: new Set(),
    labelWords: new Set<string>(),
    nativeSymbol: 'FAT',
    isWord: () => true,
  });
  const shape = createShape({});
  const lexical = (score: number) => ({ score, coverage: score > 0 ? 1 : 0, matches: [] });
  const order = (scores: readonly number[], cosines: readonly number[]) => {
    const ranked = rankShapes(
      query,
      scores.map((score, i) => ({ shape, lexical: lexical(score), cosines: [cosines[i]] })),
      [0.6],
    );
    return ranked.map(({ score }, i) => [score, i] as const).sort(([a], [b]) => b - a)[0]![1];
  };
  t.is(order([3, 0, 0], [0.1, 0.9, 0.2]), 0);
  t.is(order([0, 0, 0], [0.1, 0.9, 0.2]), 1);
});
