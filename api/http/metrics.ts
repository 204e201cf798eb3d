/** Labels contain route ids, not paths, because Prometheus needs a limited number of series. */
import { Counter, Gauge, Histogram } from 'prom-client';
import { RpcMetrics } from '#chain/rpc/rpc-metrics.ts';
import { ProcessMetrics } from '#runtime/metrics/registry.ts';
import { StoreMetrics } from '#sql/store-metrics.ts';
import { cacheFigures } from '../cache/cache.ts';
import { indexInfo } from '../read/chain/freshness.ts';
import type { CoverageDeps, SnapshotDeps } from '../read/reader-deps.ts';

export class Metrics extends ProcessMetrics {
  readonly store = new StoreMetrics(this.registry);
  readonly rpc = new RpcMetrics(this.registry);
  readonly #duration: Histogram<'route' | 'status'>;
  readonly #refused: Counter<'tier'>;
  readonly #gauges: Readonly<Record<'head' | 'lag' | 'complete', Gauge>>;

  constructor() {
    super();
    const registers = [this.registry];
    this.#duration = new Histogram({
      name: 'cordscan_request_duration_seconds',
      help: 'Duration of HTTP requests in seconds, by route and status',
      labelNames: ['route', 'status'] as const,
      registers,
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    });
    this.#refused = new Counter({
      name: 'cordscan_refused_total',
      help: 'Number of requests rejected by a rate limit, by tier of the caller',
      labelNames: ['tier'] as const,
      registers,
    });
    const gauge = (name: string, help: string) => new Gauge({ name: `cordscan_${name}`, help, registers });
    this.#gauges = {
      head: gauge('index_head', 'Number of the newest indexed block'),
      lag: gauge('index_lag_blocks', 'Number of blocks by which the index is behind the chain'),
      complete: gauge('index_complete', '1 if the index is complete and close to the head of the chain, else 0'),
    };
    new Counter({
      name: 'cordscan_cache_requests_total',
      help: 'Number of cache look-ups by result (hit or miss), and of values too large to cache (oversize), by cache',
      labelNames: ['cache', 'result'] as const,
      registers,
      collect() {
        this.reset();
        for (const [cache, { hits, misses, oversize }] of cacheFigures()) {
          this.inc({ cache, result: 'hit' }, hits);
          this.inc({ cache, result: 'miss' }, misses);
          this.inc({ cache, result: 'oversize' }, oversize);
        }
      },
    });
    new Gauge({
      name: 'cordscan_cache_bytes',
      help: 'Approximate size of a cache in bytes',
      labelNames: ['cache'] as const,
      registers,
      collect() {
        for (const [cache, { bytes }] of cacheFigures()) this.set({ cache }, bytes);
      },
    });
  }

  recordRequest(route: string, status: number, seconds: number): void {
    this.#duration.observe({ route, status: String(status) }, seconds);
  }

  recordRefusal(tier: string): void {
    this.#refused.inc({ tier });
  }

  /** Returns all metrics. Until a block is indexed, index metrics are missing, not 0. */
  async text(deps: CoverageDeps & SnapshotDeps): Promise<string> {
    const state = await deps.snapshots.current().catch(() => undefined);
    if (state) {
      const { head, lagBlocks, complete } = indexInfo(deps, state);
      this.#gauges.head.set(head);
      this.#gauges.lag.set(lagBlocks);
      this.#gauges.complete.set(complete ? 1 : 0);
    } else for (const gauge of Object.values(this.#gauges)) gauge.remove();
    return this.registry.metrics();
  }
}
