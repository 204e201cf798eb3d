import type { RpcClient } from '#chain/rpc/rpc-client.ts';
import type { VerifyLevel } from '#chain/verify/verify-bundle.ts';
import type { Log } from '#runtime/log.ts';
import type { Embedder } from '#semantic/embed/embedder.ts';
import type { Database } from '#sql/client.ts';
import type { PipelineMetrics } from './metrics.ts';
import type { PipelineReport } from './report.ts';
import type { SourceSettings } from './sources/source-settings.ts';

export interface PipelineDeps {
  readonly client: RpcClient;
  readonly database: Database;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Models that compute shape vectors (embeddings for search); if unset, none are computed. */
  readonly embedders?: readonly Embedder[];
  /** Metrics of the pipeline; if unset, none are recorded. */
  readonly metrics?: PipelineMetrics;
  /** Progress report for /status; if unset, none is written. */
  readonly report?: PipelineReport;
  readonly settings: PipelineSettings;
}

export type StoreDeps = Pick<PipelineDeps, 'database'>;

export interface PipelineSettings {
  readonly chainId: number;
  readonly genesisHash: string | undefined;
  readonly startBlock: number;
  /** Confirmations until a block is final; if undefined, the node's finalized tag decides, or 32 if it is unusable. */
  readonly finalityDepth: number | undefined;
  readonly verify: VerifyLevel;
  /** Whether to trace and store internal calls; default no. */
  readonly traces?: boolean;
  readonly batchBlocks: number;
  /** Number of rows of the largest table at which a range is cut. */
  readonly insertTargetRows: number;
  readonly pollIntervalMs: number;
  /** Retry interval of quarantined blocks, ms; default 30 s, of untraced blocks 10 min. */
  readonly quarantinedRetryMs?: number;
  /** Pause between two audits, ms; default 5 min. */
  readonly auditEveryMs?: number;
  /** Pause between steps of the background jobs, ms; default 3 s. */
  readonly jobsEveryMs?: number;
  /** Cron expression, UTC, of the checks on /status/audit; they also run at startup; default hourly. */
  readonly selfAuditSchedule?: string;
  readonly sources?: SourceSettings;
  /** Accounts that the genesis document or the configuration names, lower case. */
  readonly namedAccounts?: readonly string[];
  /** Reaction to a reorg below the finalized height: wait for an operator (default), or follow the nodes. */
  readonly deepReorg?: 'hold' | 'follow';
  /** Pause between comparisons of the finalized block with all endpoints, ms; default 10 s. */
  readonly finalizedCheckMs?: number;
  /** Lease timeout, ms; default 10 s. */
  readonly leaseMs?: number;
  /** Finalized blocks per claim; default 1,000. */
  readonly claimBlocks?: number;
  readonly wsUrl: string | undefined;
  /** Name and symbol of the native coin; default FAT. */
  readonly nativeCoin?: { readonly symbol: string; readonly name: string };
}
