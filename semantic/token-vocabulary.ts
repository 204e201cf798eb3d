/** Caches token symbols and words of names for a minute, to recognize them in search queries. */
import type { Database } from '#sql/client.ts';
import type { TokenWords } from './parse/parse-tokens.ts';
import type { WordVectors } from './word-vectors.ts';

const staleMs = 60_000;
const maxSymbols = 50_000;
const maxLabelWords = 100_000;

export class TokenVocabulary {
  #words: TokenWords | undefined;
  #readAt = 0;
  #reading: Promise<TokenWords> | undefined;
  readonly database: Database;
  readonly vectors: WordVectors;
  readonly nativeSymbol: string;

  constructor(database: Database, vectors: WordVectors, nativeSymbol: string) {
    this.database = database;
    this.vectors = vectors;
    this.nativeSymbol = nativeSymbol;
  }

  async current(): Promise<TokenWords> {
    if (this.#words && performance.now() - this.#readAt < staleMs) return this.#words;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    this.#reading.catch(() => undefined); // if reading fails, callers use the old list
    return this.#words ?? this.#reading;
  }

  async #read(): Promise<TokenWords> {
    const [rows, labels] = await Promise.all([
      this.database.read('token_symbols', { limit: maxSymbols }),
      this.database.read('label_words', { limit: maxLabelWords }),
    ]);
    this.#words = {
      symbols: new Set([...rows.map(({ symbol }) => symbol), this.nativeSymbol.toUpperCase()]),
      labelWords: new Set(labels.map(({ word }) => word)),
      nativeSymbol: this.nativeSymbol,
      isWord: (word) => this.vectors.isPlainWord(word),
    };
    this.#readAt = performance.now();
    return this.#words;
  }
}
