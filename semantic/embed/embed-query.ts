import { getFirst } from '#runtime/lists.ts';
import type { Log } from '#runtime/log.ts';
import type { Embedder } from './embedder.ts';

export interface SearchEmbedders {
  readonly local: Embedder;
  readonly dense: Embedder | undefined;
  readonly timeoutMs: number;
}

export interface QueryVectors {
  readonly local: Float32Array;
  readonly dense: { readonly id: string; readonly vector: Float32Array } | undefined;
  readonly isDegraded: boolean;
}

/** Computes two vectors of a query: from word vectors and, if it answers in time, from the embedding model. */
export async function embedQuery(
  { local, dense, timeoutMs }: SearchEmbedders,
  text: string,
  log: Log,
): Promise<QueryVectors> {
  const own = getFirst(await local.embed([text], 'query'));
  if (!dense) return { local: own, dense: undefined, isDegraded: false };
  if (text === '')
    return { local: own, dense: { id: dense.id, vector: new Float32Array(dense.dimensions) }, isDegraded: false };
  const signal = AbortSignal.timeout(timeoutMs);
  const late = new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(new Error('the embedding model timed out')), { once: true }),
  );
  try {
    const vector = getFirst(await Promise.race([dense.embed([text], 'query', signal), late]));
    return { local: own, dense: { id: dense.id, vector }, isDegraded: false };
  } catch (error) {
    log.warn({ event: 'embedder_error', embedder: dense.id, error: String(error) });
    return { local: own, dense: undefined, isDegraded: true };
  }
}
