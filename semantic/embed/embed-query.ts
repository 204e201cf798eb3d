/** A query as vectors: of the dense model where it answers in time, of the local words always. */
import { firstOf } from '#runtime/lists.ts';
import type { Log } from '#runtime/log.ts';
import type { Embedder } from './embedder.ts';

export interface SearchEmbedders {
  /** Static word vectors: always there. */
  readonly local: Embedder;
  /** A better model, here or elsewhere; undefined: there is none. */
  readonly dense: Embedder | undefined;
  /** How long a search waits for it, ms. */
  readonly timeoutMs: number;
}

export interface QueryVectors {
  readonly local: Float32Array;
  readonly dense: { readonly id: string; readonly vector: Float32Array } | undefined;
  /** True when there is a dense model that did not answer. */
  readonly isDegraded: boolean;
}

/** Never throws: without the dense model the search goes on, and says so. */
export async function embedQuery(
  { local, dense, timeoutMs }: SearchEmbedders,
  text: string,
  log: Log,
): Promise<QueryVectors> {
  const own = firstOf(await local.embed([text], 'query'));
  if (!dense) return { local: own, dense: undefined, isDegraded: false };
  if (text === '')
    return { local: own, dense: { id: dense.id, vector: new Float32Array(dense.dimensions) }, isDegraded: false };
  const signal = AbortSignal.timeout(timeoutMs);
  const late = new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(new Error('the embedder is late')), { once: true }),
  );
  try {
    const vector = firstOf(await Promise.race([dense.embed([text], 'query', signal), late]));
    return { local: own, dense: { id: dense.id, vector }, isDegraded: false };
  } catch (error) {
    log.warn({ event: 'embedder_fault', embedder: dense.id, error: String(error) });
    return { local: own, dense: undefined, isDegraded: true };
  }
}
