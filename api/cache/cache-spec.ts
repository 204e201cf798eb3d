/**
 * Event that invalidates a cached value. `snapshot`: any change of the index. `window`: a reorg. `generation`: a reorg,
 * or newly stored sums of 2,000 blocks. `time`: only the maximum age.
 */
type Scope = 'snapshot' | 'generation' | 'window' | 'time';

export interface CacheSpec {
  readonly scope: Scope;
  readonly mebibytes: number;
  readonly ttlMs?: number;
  /** Contents, for docs/architecture.md. */
  readonly keeps: string;
  /** Median latency without → with the cache, or its purpose. */
  readonly saves: string;
}
