/** The port through which texts become vectors. */

/** A query is short and asked for; a document is what is found. Some models want to be told which. */
export type EmbeddingRole = 'query' | 'document';

export interface Embedder {
  /** Names model and version: vectors of two embedders are never compared. */
  readonly id: string;
  readonly dimensions: number;
  /**
   * One vector of length 1 for each text, in order.
   * @throws EmbeddingError when the model cannot be reached or answers nonsense
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
      /** True where the model takes others, but not what it was given. */
      readonly isOfTexts?: boolean;
    },
  ) {
    super(message, options);
    this.retryable = retryable;
    this.isOfTexts = options?.isOfTexts === true;
  }
}

/** Scaled to length 1; a vector of zeros stays one. */
export function normalize(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const value of vector) sum += value * value;
  const length = Math.sqrt(sum);
  return length === 0 ? vector : vector.map((value) => value / length);
}
