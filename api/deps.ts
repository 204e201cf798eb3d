/** What every route is given. */
import type { RpcClient } from '#chain/rpc/rpc-client.ts';
import type { Log } from '#runtime/log.ts';
import type { Database } from '#sql/client.ts';
import type { Statements } from '#sql/statements.ts';
import type { AccountReader } from './account-reader.ts';
import type { SnapshotReader } from './snapshot-reader.ts';

export interface ApiDeps {
  readonly database: Database;
  readonly statements: Statements;
  readonly snapshots: SnapshotReader;
  readonly accounts: AccountReader;
  readonly client: RpcClient;
  readonly log: Log;
  readonly settings: ApiSettings;
}

export interface ApiSettings {
  readonly chainId: number;
  /** Blocks behind the chain's head up to which coverage counts as complete. */
  readonly freshnessToleranceBlocks: number;
}
