/** Some models need different prefixes for queries and documents. */
export type EmbeddingRole = 'query' | 'document';

export interface Embedder {
  /** Vectors of different ids must not be compared. */
  readonly id: string;
  readonly dimensions: number;
  /**
   * One vector of length 1 per text, in order.
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
      /** The model rejects these texts but is otherwise healthy. */
      readonly isOfTexts?: boolean;
    },
  ) {
    super(message, options);
    this.retryable = retryable;
    this.isOfTexts = options?.isOfTexts === true;
  }
}

/** To length 1; a zero vector stays. */
export function normalize(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const value of vector) sum += value * value;
  const length = Math.sqrt(sum);
  return length === 0 ? vector : vector.map((value) => value / length);
}
