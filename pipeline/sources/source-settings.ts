export interface SourceSettings {
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
  /** ms, for the complete download. */
  readonly timeoutMs: number;
}
