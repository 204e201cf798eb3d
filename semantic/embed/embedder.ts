/** Some embedding models need different prefixes for search queries and documents. */
export type EmbeddingRole = 'query' | 'document';

export interface Embedder {
  /** Model name. Vectors of different models can't be compared. */
  readonly id: string;
  readonly dimensions: number;
  /**
   * Returns one vector of length 1 per text.
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
      /** The model works but rejects these texts. */
      readonly isOfTexts?: boolean;
    },
  ) {
    super(message, options);
    this.retryable = retryable;
    this.isOfTexts = options?.isOfTexts === true;
  }
}

/** Scales a vector to length 1. Returns a zero vector unchanged. */
export function normalize(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const value of vector) sum += value * value;
  const length = Math.sqrt(sum);
  return length === 0 ? vector : vector.map((value) => value / length);
}
