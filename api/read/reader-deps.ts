import type { RpcClient } from '#chain/rpc/rpc-client.ts';
import type { Upstreams } from '#gateway/upstreams.ts';
import type { Log } from '#runtime/log.ts';
import type { Database } from '#sql/client.ts';
import type { Cursors } from '../terms/cursor.ts';
import type { BlockTimes } from './chain/block-times.ts';
import type { Snapshots } from './chain/snapshot-reader.ts';

export interface StoreDeps {
  readonly database: Database;
}

export interface NodeDeps {
  readonly client: RpcClient;
  readonly upstreams: Upstreams;
}

export interface CoverageDeps extends NodeDeps {
  readonly settings: {
    /** Maximum lag in blocks at which replies call the index complete. */
    readonly freshnessToleranceBlocks: number;
  };
}

export interface TimeDeps {
  readonly blockTimes: BlockTimes;
}

export interface ChainDeps {
  readonly settings: { readonly chainId: number };
}

export interface SnapshotDeps {
  readonly snapshots: Snapshots;
}

export interface StateDeps extends StoreDeps, CoverageDeps, TimeDeps, SnapshotDeps {
  readonly log: Log;
}

export interface ListDeps extends StoreDeps, CoverageDeps, SnapshotDeps {
  readonly cursors: Cursors;
}
