/** The endpoint EMBEDDINGS_URL, or by default the model in an npm package. */
import type { Config } from '#runtime/config.ts';
import type { Embedder } from './embedder.ts';
import { createOpenAiEmbedder } from './openai-embedder.ts';
import { createUseLite } from './use-lite.ts';

type EmbedderConfig = Pick<
  Config,
  | 'EMBEDDINGS_URL'
  | 'EMBEDDINGS_MODEL'
  | 'EMBEDDINGS_KEY'
  | 'EMBEDDINGS_DIMENSIONS'
  | 'EMBEDDINGS_QUERY_PREFIX'
  | 'EMBEDDINGS_DOCUMENT_PREFIX'
>;

export function createEmbedder(config: EmbedderConfig): Embedder {
  if (!config.EMBEDDINGS_URL) return createUseLite();
  return createOpenAiEmbedder({
    url: config.EMBEDDINGS_URL,
    model: config.EMBEDDINGS_MODEL,
    key: config.EMBEDDINGS_KEY,
    dimensions: config.EMBEDDINGS_DIMENSIONS,
    queryPrefix: config.EMBEDDINGS_QUERY_PREFIX,
    documentPrefix: config.EMBEDDINGS_DOCUMENT_PREFIX,
  });
}
