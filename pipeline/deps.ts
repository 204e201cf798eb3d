import type { RawCache } from '#chain/raw-cache/raw-cache.ts';
import type { RpcClient } from '#chain/rpc/rpc-client.ts';
import type { VerifyLevel } from '#chain/verify/verify-bundle.ts';
import type { Log } from '#runtime/log.ts';
import type { OutboundNetwork } from '#runtime/outbound/outbound.ts';
import type { Embedder } from '#semantic/embed/embedder.ts';
import type { Database } from '#sql/client.ts';
import type { BlockEncoder } from './encode/encoder-threads.ts';
import type { PipelineMetrics } from './metrics.ts';
import type { NftSettings } from './nft/resolve-uri.ts';
import type { PipelineReport } from './report.ts';
import type { SourceSettings } from './sources/source-settings.ts';

export interface PipelineDeps {
  readonly client: RpcClient;
  readonly database: Database;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly embedders?: readonly Embedder[];
  readonly metrics?: PipelineMetrics;
  readonly report?: PipelineReport;
  /** Encodes fetched blocks; default: the calling thread. */
  readonly encoder?: BlockEncoder | undefined;
  /** Cache of raw blocks, from which a new index can be built without a node; undefined: no cache. */
  readonly rawCache?: RawCache | undefined;
  /** Network for URLs of third parties, such as NFT contracts; default: the system's. */
  readonly outbound?: OutboundNetwork;
  readonly settings: PipelineSettings;
}

export type StoreDeps = Pick<PipelineDeps, 'database'>;

export interface PipelineSettings {
  readonly chainId: number;
  readonly genesisHash: string | undefined;
  readonly startBlock: number;
  /** Confirmations until a block is final. Unset: the node's finalized tag, at least 20, or 32 without a usable tag. */
  readonly finalityDepth: number | undefined;
  readonly verify: VerifyLevel;
  /** Internal calls: off (default), auto (if a node can trace), or on (also during the backfill, with retries). */
  readonly traces?: 'off' | 'auto' | 'on';
  readonly batchBlocks: number;
  /** Target number of rows of an insert, counted in its largest table. */
  readonly insertTargetRows: number;
  /** Cache of raw blocks, read-only if it is the only source of blocks; undefined: no cache. */
  readonly rawCache?: { readonly directory: string; readonly isReadOnly: boolean } | undefined;
  /** Pause between searches for finalized blocks that the raw cache lacks, ms; default 1 min. */
  readonly fillCacheEveryMs?: number;
  readonly pollIntervalMs: number;
  /** Pause before blocks are fetched again, ms. Default: 30 s for quarantined, 10 min for untraced blocks. */
  readonly quarantinedRetryMs?: number;
  /** Pause between comparisons of stored blocks with a node, ms; default 5 min. */
  readonly auditEveryMs?: number;
  /** Pause between steps of the background jobs, ms; default 3 s. */
  readonly jobsEveryMs?: number;
  /**
   * A checkpoint of all balances follows each group of `blocks` blocks in which the total number of transactions passes
   * a multiple of `transactions`, or of its double if there are many accounts; default: a million and 2,000.
   */
  readonly checkpoints?: { readonly transactions: number; readonly blocks: number };
  /** Cron schedule of the checks on /status/audit, UTC; default hourly. */
  readonly selfAuditSchedule?: string;
  readonly sources?: SourceSettings;
  /** Undefined: metadata of NFTs is not fetched. */
  readonly nft?: NftSettings | undefined;
  readonly namedAccounts?: readonly string[];
  /** Reaction to a reorg below the finalized height: wait for an operator (default), or follow the nodes. */
  readonly deepReorg?: 'hold' | 'follow';
  /** Pause between comparisons of the finalized block with all endpoints, ms; default 10 s. */
  readonly finalizedCheckMs?: number;
  /** Time without a heartbeat after which another pipeline takes over, ms; default 10 s. */
  readonly leaseMs?: number;
  /** Blocks that a pipeline process reserves at once; default 1,000. */
  readonly claimBlocks?: number;
  readonly wsUrl: string | undefined;
  readonly nativeCoin?: {
    readonly symbol: string;
    readonly name: string;
    /** Address of the token that wraps the coin; undefined: unknown. */
    readonly wrapped?: string | undefined;
  };
}
