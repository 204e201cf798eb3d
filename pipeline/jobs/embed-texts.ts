/** Vectors of texts from a model that may refuse some of them: one that is refused keeps no other from its vector. */
import { type Embedder, EmbeddingError } from '#semantic/embed/embedder.ts';

/** A text that every model takes. */
const plainText = 'transfer';

/**
 * @returns a vector for each text, in order; undefined of those that were refused
 * @throws EmbeddingError where the model does not answer, or refuses plain words too
 */
export async function embedTexts(
  embedder: Embedder,
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<(Float32Array | undefined)[]> {
  try {
    return await embedder.embed(texts, 'document', signal);
  } catch (error) {
    if (!isOfTexts(error)) throw error;
  }
  await embedder.embed([plainText], 'document', signal);
  const vectors: (Float32Array | undefined)[] = [];
  for (const text of texts) vectors.push(await embedOne(embedder, text, signal));
  return vectors;
}

async function embedOne(embedder: Embedder, text: string, signal?: AbortSignal): Promise<Float32Array | undefined> {
  try {
    const [vector] = await embedder.embed([text], 'document', signal);
    return vector;
  } catch (error) {
    if (isOfTexts(error)) return undefined;
    throw error;
  }
}

const isOfTexts = (error: unknown) => error instanceof EmbeddingError && error.isOfTexts;
