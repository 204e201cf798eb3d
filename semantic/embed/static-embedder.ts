import { addScaled, dot, type WordVectors, wordDimensions } from '../word-vectors.ts';
import { isStopWord, splitWords } from '../words.ts';
import { type Embedder, normalize } from './embedder.ts';

export const staticEmbedderId = 'glove-100d-60k@1';

export function createStaticEmbedder(vectors: WordVectors): Embedder {
  return {
    id: staticEmbedderId,
    dimensions: wordDimensions,
    embed: async (texts) => texts.map((text) => embedText(vectors, text)),
    close: async () => {},
  };
}

/** Returns a vector of length 1, or zeros if no word has a vector. */
export function embedText(vectors: WordVectors, text: string): Float32Array {
  const sum = new Float32Array(wordDimensions);
  for (const word of splitWords(text)) {
    if (isStopWord(word)) continue;
    const vector = vectors.find(word);
    if (!vector || dot(vector, vector) === 0) continue;
    addScaled(sum, vector, vectors.weight(word));
  }
  return normalize(sum);
}
