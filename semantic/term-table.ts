/** Numbers terms (word stems). Cached texts store these numbers to save memory. */
import { known } from '#runtime/known.ts';
import { dot, type WordVectors } from './word-vectors.ts';
import { isStopWord, splitWords, stem } from './words.ts';

/** Weight of an event's names and symbols: a query with such a name usually means it. */
const factWeight = 2;
const maxCount = 4;
/** Minimum cosine of similar words. `similarWeight` is the weight at cosine 1. */
const minSimilarity = 0.45;
const similarWeight = 0.8;
const maxCachedExpansions = 500;

export interface AnalysedText {
  readonly terms: Uint32Array;
  readonly counts: Uint8Array;
  readonly length: number;
}

/** Term that matches a query word, with a weight of 0 to 1. */
export interface Met {
  readonly term: number;
  readonly stem: string;
  readonly weight: number;
  readonly form: string;
}

interface Term {
  readonly number: number;
  readonly stem: string;
  readonly forms: Set<string>;
}

export class TermTable {
  readonly #terms: Term[] = [];
  readonly #byStem = new Map<string, Term>();
  readonly #expansions = new Map<string, { through: number; met: Met[] }>();
  readonly vectors: WordVectors;

  constructor(vectors: WordVectors) {
    this.vectors = vectors;
  }

  get size(): number {
    return this.#terms.length;
  }

  analyse(facts: string, meaning: string): AnalysedText {
    const counts = new Map<number, number>();
    let length = 0;
    const add = (text: string, weight: number) => {
      for (const word of splitWords(text)) {
        if (isStopWord(word)) continue;
        const term = this.#number(word);
        counts.set(term, Math.min((counts.get(term) ?? 0) + weight, maxCount));
        length += weight;
      }
    };
    add(facts, factWeight);
    add(meaning, 1);
    return { terms: Uint32Array.from(counts.keys()), counts: Uint8Array.from(counts.values()), length };
  }

  /**
   * Returns the terms that equal or resemble a word.
   * @param among terms that the caller needs; if they are few, only these are compared
   */
  expand(word: string, among?: readonly number[]): readonly Met[] {
    const cached = this.#expansions.get(word) ?? { through: 0, met: [] };
    if (among && cached.through < this.size && among.length < this.size / 4)
      return among.flatMap((number) => this.#meet(word, this.#term(number)) ?? []);
    if (cached.through < this.size) {
      if (this.#expansions.size >= maxCachedExpansions) this.#expansions.clear();
      for (const term of this.#terms.slice(cached.through)) {
        const met = this.#meet(word, term);
        if (met) cached.met.push(met);
      }
      this.#expansions.set(word, { through: this.size, met: cached.met });
    }
    return cached.met;
  }

  #term(number: number): Term {
    return known(this.#terms[number], 'a term of the table');
  }

  #meet(word: string, term: Term): Met | undefined {
    if (stem(word) === term.stem) return { term: term.number, stem: term.stem, weight: 1, form: word };
    const vector = this.vectors.find(word);
    if (!vector) return undefined;
    let [best, form] = [minSimilarity, ''];
    for (const other of term.forms) {
      const its = this.vectors.find(other);
      const cosine = its ? dot(vector, its) : 0;
      if (cosine > best) [best, form] = [cosine, other];
    }
    const weight = (similarWeight * (best - minSimilarity)) / (1 - minSimilarity);
    return form ? { term: term.number, stem: term.stem, weight, form } : undefined;
  }

  #number(word: string): number {
    const key = stem(word);
    let term = this.#byStem.get(key);
    if (!term) {
      term = { number: this.#terms.length, stem: key, forms: new Set() };
      this.#byStem.set(key, term);
      this.#terms.push(term);
    }
    if (term.forms.size < 12) term.forms.add(word);
    return term.number;
  }
}
