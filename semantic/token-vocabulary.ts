/** Caches all token symbols for a minute, to recognize them in search queries. */
import type { Database } from '#sql/client.ts';
import type { TokenWords } from './parse/parse-tokens.ts';
import type { WordVectors } from './word-vectors.ts';

const staleMs = 60_000;
const maxSymbols = 50_000;

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
    const rows = await this.database.read('token_symbols', { limit: maxSymbols });
    this.#words = {
      symbols: new Set([...rows.map(({ symbol }) => symbol), this.nativeSymbol.toUpperCase()]),
      verifiedSymbols: new Set(rows.flatMap(({ symbol, is_verified }) => (is_verified ? [symbol] : []))),
      nativeSymbol: this.nativeSymbol,
      isWord: (word) => this.vectors.isPlainWord(word),
    };
    this.#readAt = performance.now();
    return this.#words;
  }
}
