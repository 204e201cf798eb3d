/** Some embedding models need different prefixes for a search query and a text to be found. */
export type EmbeddingRole = 'query' | 'document';

export interface Embedder {
  /** Name of the embedding model. Vectors of different models must not be compared. */
  readonly id: string;
  readonly dimensions: number;
  /**
   * Returns one vector of length 1 per text, in the order of the texts.
   * @throws EmbeddingError if the model is unreachable or its reply is invalid
   */
  embed(texts: readonly string[], role: EmbeddingRole, signal?: AbortSignal): Promise<Float32Array[]>;
  close(): Promise<void>;
}

export class EmbeddingError extends Error {
  override readonly name = 'EmbeddingError';
  readonly isOfTexts: boolean;
  readonly retryable: boolean;
  constructor(
    message: string,
    retryable: boolean,
    options?: ErrorOptions & {
      /** True if the model rejects these texts, but otherwise works. */
      readonly isOfTexts?: boolean;
    },
  ) {
    super(message, options);
    this.retryable = retryable;
    this.isOfTexts = options?.isOfTexts === true;
  }
}

/** Scales a vector to length 1. A zero vector stays as it is. */
export function normalize(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const value of vector) sum += value * value;
  const length = Math.sqrt(sum);
  return length === 0 ? vector : vector.map((value) => value / length);
}
