/** What sources of the registry and the ecosystem are looked at, and how. */

export interface SourceSettings {
  /** File or URL of the manifest; undefined: none is looked for. */
  readonly registryUrl: string | undefined;
  /** Hash that the manifest must have, 64 hex digits. */
  readonly registrySha256: string | undefined;
  readonly directoryUrl: string | undefined;
  readonly refreshMs: number;
  readonly limits: DocumentLimits;
}

export interface DocumentLimits {
  /** After decompression. */
  readonly maxBytes: number;
  /** Of a download, the whole of it. */
  readonly timeoutMs: number;
}
