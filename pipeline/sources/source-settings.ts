export interface SourceSettings {
  readonly registryUrl: string | undefined;
  readonly registrySha256: string | undefined;
  readonly directoryUrl: string | undefined;
  readonly refreshMs: number;
  readonly limits: DocumentLimits;
}

export interface DocumentLimits {
  /** Maximum size after decompression, bytes. */
  readonly maxBytes: number;
  readonly timeoutMs: number;
}
