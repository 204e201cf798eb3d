/**
 * Scores texts with BM25. Similar words also match, with a lower weight.
 * @source Robertson, Zaragoza: The Probabilistic Relevance Framework
 */
import { known } from '#runtime/known.ts';
import type { AnalysedText, Met, TermTable } from './term-table.ts';
import { isStopWord, splitWords, stem } from './words.ts';

const k1 = 1.2;
const b = 0.5;
/** Weight of the most common English words in a query. */
const plainness = 0.3;

/** Words that fit every event, so a match means nothing. */
const genericWords = new Set([
  'payment',
  'payments',
  'transfer',
  'transfers',
  'money',
  'funds',
  'amount',
  'amounts',
  'sum',
  'tokens',
  'coins',
]);

export function areGeneric(words: readonly string[]): boolean {
  return words.every((word) => genericWords.has(word));
}

export interface WordMatch {
  readonly word: string;
  readonly met: string;
  readonly weight: number;
}

export interface SoftScore {
  readonly score: number;
  /** Share of query words in the text, 0 to 1. Rare words count more. */
  readonly coverage: number;
  readonly matches: readonly WordMatch[];
}

/** A query has at most 500 characters. With more words than this, they are too short to mean much. */
const maxWords = 32;

/** Returns one word per stem; at most `maxWords`. */
export function queryWords(text: string): string[] {
  const byStem = new Map<string, string>();
  for (const word of splitWords(text)) if (!isStopWord(word) && !/^\d+$/.test(word)) byStem.set(stem(word), word);
  return [...byStem.values()].slice(0, maxWords);
}

/** Scores each text. Document frequencies count only the given texts. */
export function scoreTexts(query: readonly string[], texts: readonly AnalysedText[], table: TermTable): SoftScore[] {
  const frequency = new Uint32Array(table.size);
  const textsWith = (term: number) => known(frequency[term], 'a term of the table');
  let total = 0;
  for (const { terms, length } of texts) {
    total += length;
    for (const term of terms) frequency[term] = textsWith(term) + 1;
  }
  const meanLength = total / Math.max(texts.length, 1) || 1;
  const idf = (term: number) => Math.log(1 + (texts.length - textsWith(term) + 0.5) / (textsWith(term) + 0.5));
  const present = [...frequency.keys()].filter((term) => textsWith(term) > 0);
  const weighed = query.map((word): WeighedWord => {
    const met = new Map(
      table
        .expand(word, present)
        .filter(({ term }) => textsWith(term) > 0)
        .map((entry) => [entry.term, { ...entry, value: entry.weight * idf(entry.term) }]),
    );
    const said = genericWords.has(word) ? 0 : table.vectors.weight(word);
    return { word, weight: plainness + (1 - plainness) * said, met };
  });
  return texts.map((text) => scoreText(text, weighed, meanLength));
}

interface WeighedWord {
  readonly word: string;
  readonly weight: number;
  readonly met: ReadonlyMap<number, Met & { readonly value: number }>;
}

function scoreText(text: AnalysedText, query: readonly WeighedWord[], meanLength: number): SoftScore {
  const matches: WordMatch[] = [];
  const norm = k1 * (1 - b + (b * text.length) / meanLength);
  let [score, covered, total] = [0, 0, 0];
  for (const { word, weight, met } of query) {
    total += weight;
    if (met.size === 0) continue;
    let best = 0;
    let bestMet: Met | undefined;
    for (let i = 0; i < text.terms.length; i++) {
      const entry = met.get(known(text.terms[i], 'a term of a text'));
      if (!entry) continue;
      const count = known(text.counts[i], 'the count of a term');
      const value = (entry.value * count * (k1 + 1)) / (count + norm);
      if (value > best) [best, bestMet] = [value, entry];
    }
    if (!bestMet) continue;
    score += weight * best;
    covered += weight * bestMet.weight;
    matches.push({ word, met: bestMet.form, weight: bestMet.weight });
  }
  return { score, coverage: total === 0 ? 0 : covered / total, matches };
}
