import { type Embedder, EmbeddingError } from '#semantic/embed/embedder.ts';

/** A text that every model accepts. */
const plainText = 'transfer';

/**
 * @returns a vector for each text, in order; undefined for texts that the model rejects
 * @throws EmbeddingError when the model doesn't answer, or rejects even plain words
 */
export async function embedTexts(
  embedder: Embedder,
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<(Float32Array | undefined)[]> {
  try {
    return await embedder.embed(texts, 'document', signal);
  } catch (error) {
    if (!isTextError(error)) throw error;
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
    if (isTextError(error)) return undefined;
    throw error;
  }
}

const isTextError = (error: unknown) => error instanceof EmbeddingError && error.isOfTexts;
