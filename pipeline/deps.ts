/** Dependencies that several folders of the pipeline share. */
import type { RawCache } from '#chain/raw-cache/raw-cache.ts';
import type { RpcClient } from '#chain/rpc/rpc-client.ts';
import type { Log } from '#runtime/log.ts';
import type { Database } from '#sql/client.ts';
import type { PipelineMetrics } from './metrics.ts';
import type { PipelineReport } from './report.ts';

export interface StoreDeps {
  readonly database: Database;
}

export interface NodeDeps {
  readonly client: RpcClient;
  readonly signal: AbortSignal;
}

export interface JobDeps extends StoreDeps, NodeDeps {
  readonly log: Log;
}

export interface ReportDeps {
  readonly report: PipelineReport;
}

export interface MetricsDeps {
  readonly metrics: PipelineMetrics;
}

export interface CacheDeps {
  /** Raw blocks, to build a new index without a node; undefined: no cache. */
  readonly rawCache?: RawCache | undefined;
}
