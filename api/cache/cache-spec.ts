/**
 * When a cached value becomes invalid. `snapshot`: at each new state of the chain; `generation`: when a reorg removes
 * blocks, or when the sums of another 2,000 blocks (rollup window) are stored; `window`: when a reorg removes blocks;
 * `time`: only at its maximum age.
 */
type Scope = 'snapshot' | 'generation' | 'window' | 'time';

export interface CacheSpec {
  readonly scope: Scope;
  readonly mebibytes: number;
  readonly ttlMs?: number;
  /** What the cache contains, for docs/architecture.md. */
  readonly keeps: string;
  /** Median latency without → with the cache, or the reason for the cache. */
  readonly saves: string;
}
