/** What readers of several rooms are given. Each asks for as much as it uses: no reader sees the whole. */
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
  /** Nodes that requests are passed on to. */
  readonly upstreams: Upstreams;
}

/** By which it is told how far the index reaches. */
export interface CoverageDeps extends NodeDeps {
  readonly settings: {
    /** Blocks behind the chain's head up to which coverage counts as complete. */
    readonly freshnessToleranceBlocks: number;
  };
}

/** By which times become blocks, and blocks times. */
export interface TimeDeps {
  readonly blockTimes: BlockTimes;
}

/** Whose answers name the chain. */
export interface ChainDeps {
  readonly settings: { readonly chainId: number };
}

/** What is read by one state of the chain. */
export interface SnapshotDeps {
  readonly snapshots: Snapshots;
}

/** What reads by a state of the chain. */
export interface StateDeps extends StoreDeps, CoverageDeps, TimeDeps, SnapshotDeps {
  readonly log: Log;
}

/** What a list is read from that is walked page by page. */
export interface ListDeps extends StoreDeps, CoverageDeps, SnapshotDeps {
  /** Binds cursors to queries with the key of the service. */
  readonly cursors: Cursors;
}
