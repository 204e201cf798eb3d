/**
 * Reads GloVe word vectors (6 MB), made by scripts/build-word-vectors.ts. lexicon/aliases.ts maps newer blockchain
 * words, which have no vector, to older ones.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { known } from '#runtime/known.ts';
import { normalize } from './embed/embedder.ts';
import { wordAliases } from './lexicon/aliases.ts';

export const wordDimensions = 100;
/**
 * Constant a of the word weight a / (a + p), where p is the probability of the word.
 * @source Arora, Liang, Ma: A simple but tough-to-beat baseline for sentence embeddings
 */
const smoothing = 3e-4;
/** Sum of 1/rank over all words. By Zipf's law, a word's probability is 1/rank divided by this sum. */
const harmonic = 12;

const dir = join(import.meta.dirname, 'vectors');

export class WordVectors {
  #files: { bytes: Int8Array; ranks: ReadonlyMap<string, number> } | undefined;
  readonly #known = new Map<string, Float32Array | null>();

  /** Reads the files at first use, because most processes never do. */
  get #read() {
    if (!this.#files) {
      const file = readFileSync(join(dir, 'glove-100d-int8.bin'));
      const words = readFileSync(join(dir, 'words.txt'), 'utf8').trimEnd().split('\n');
      this.#files = {
        bytes: new Int8Array(file.buffer, file.byteOffset, file.length),
        ranks: new Map(words.map((word, i) => [word, i])),
      };
    }
    return this.#files;
  }

  find(word: string): Float32Array | undefined {
    if (!this.#read.ranks.has(word) && !wordAliases.has(word)) return undefined;
    let vector = this.#known.get(word);
    if (vector === undefined) {
      if (this.#known.size > 20_000) this.#known.clear();
      vector = this.#make(word) ?? null;
      this.#known.set(word, vector);
    }
    return vector ?? undefined;
  }

  /** Returns a weight near 0 for common words and near 1 for rare words. */
  weight(word: string): number {
    const rank = this.#read.ranks.get(wordAliases.get(word)?.[0] ?? word);
    return rank === undefined ? 1 : smoothing / (smoothing + 1 / (harmonic * (rank + 1)));
  }

  isPlainWord(word: string): boolean {
    return this.#read.ranks.has(word);
  }

  #make(word: string): Float32Array | undefined {
    const parts = wordAliases.get(word) ?? [word];
    const sum = new Float32Array(wordDimensions);
    let found = 0;
    for (const part of parts) {
      const rank = this.#read.ranks.get(part);
      if (rank === undefined) continue;
      found++;
      const row = this.#read.bytes.subarray(rank * wordDimensions, (rank + 1) * wordDimensions);
      let length = 0;
      for (const value of row) length += value * value;
      for (const [i, value] of row.entries()) sum[i] = known(sum[i], 'a dimension') + value / Math.sqrt(length);
    }
    return found === 0 ? undefined : normalize(sum);
  }
}

export function addScaled(sum: Float32Array, vector: Float32Array, scale: number): void {
  // biome-ignore lint/style/noNonNullAssertion: equal lengths, hot path
  for (let i = 0; i < sum.length; i++) sum[i]! += scale * vector[i]!;
}

export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  // biome-ignore lint/style/noNonNullAssertion: equal lengths, hot path
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
