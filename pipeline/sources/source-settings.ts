export interface SourceSettings {
  /** Manifest; undefined: none. */
  readonly registryUrl: string | undefined;
  /** 64 hex digits. */
  readonly registrySha256: string | undefined;
  readonly directoryUrl: string | undefined;
  readonly refreshMs: number;
  readonly limits: DocumentLimits;
}

export interface DocumentLimits {
  /** After decompression. */
  readonly maxBytes: number;
  /** For the complete download. */
  readonly timeoutMs: number;
}
