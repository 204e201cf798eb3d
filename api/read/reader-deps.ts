/** What readers of several rooms are given. Each asks for as much as it uses: no reader sees the whole. */
import type { RpcClient } from '#chain/rpc/rpc-client.ts';
import type { Fleet } from '#gateway/fleet.ts';
import type { Log } from '#runtime/log.ts';
import type { Database } from '#sql/client.ts';
import type { Statements } from '#sql/statements.ts';
import type { BlockTimes } from './chain/block-times.ts';
import type { Snapshots } from './chain/snapshot-reader.ts';

export interface StoreDeps {
  readonly database: Database;
  readonly statements: Statements;
}

export interface NodeDeps {
  readonly client: RpcClient;
  /** Nodes that requests are passed on to. */
  readonly fleet: Fleet;
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

/** What reads by a state of the chain. */
export interface StateDeps extends StoreDeps, CoverageDeps, TimeDeps {
  readonly snapshots: Snapshots;
  readonly log: Log;
}
