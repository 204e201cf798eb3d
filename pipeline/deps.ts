/** What every part of the pipeline is given. */

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
  /** Models whose vectors of shapes are kept; absent: none are made. */
  readonly embedders?: readonly Embedder[];
  /** Absent: nobody watches. */
  readonly metrics?: PipelineMetrics;
  /** What it says of itself on /status; absent: nobody reads it. */
  readonly report?: PipelineReport;
  readonly settings: PipelineSettings;
}

/** What parts are given that only read and write. */
export type StoreDeps = Pick<PipelineDeps, 'database'>;

export interface PipelineSettings {
  readonly chainId: number;
  readonly genesisHash: string | undefined;
  readonly startBlock: number;
  /** Undefined: the node's finalized tag where it means something, else 32. */
  readonly finalityDepth: number | undefined;
  readonly verify: VerifyLevel;
  /** Whether calls within transactions are traced and stored; default no. */
  readonly traces?: boolean;
  /** Blocks in one JSON-RPC batch, upper bound. */
  readonly batchBlocks: number;
  /** Rows of the largest table at which a range is cut and inserted. */
  readonly insertTargetRows: number;
  readonly pollIntervalMs: number;
  /** How often blocks that were set aside are tried again, ms; default 30 s, of blocks that nobody traced 10 min. */
  readonly quarantinedRetryMs?: number;
  /** Pause between two audits of stored blocks, ms; default 5 min. */
  readonly auditEveryMs?: number;
  /** Pause between two steps of the jobs beside the main way, ms; default 3 s. */
  readonly jobsEveryMs?: number;
  /** Cron expression, UTC, of the checks on /status/audit; default hourly. They are made once at the start too. */
  readonly selfAuditSchedule?: string;
  /** Documents that are looked at by schedule; undefined: none. */
  readonly sources?: SourceSettings;
  /** Accounts that the genesis document or the configuration names, lower case; default none. */
  readonly namedAccounts?: readonly string[];
  /** What follows a reorg below the finalized height: hold until an operator rewinds, or follow the nodes; default hold. */
  readonly deepReorg?: 'hold' | 'follow';
  /** Pause between two comparisons of the finalized block with all endpoints, ms; default 10 s. */
  readonly finalizedCheckMs?: number;
  /** Silence after which another worker takes over what this one holds, ms; default 10 s. */
  readonly leaseMs?: number;
  /** Final blocks claimed at once; default 1,000. */
  readonly claimBlocks?: number;
  readonly wsUrl: string | undefined;
  /** The native coin as people call it; default FAT. */
  readonly nativeCoin?: { readonly symbol: string; readonly name: string };
}
