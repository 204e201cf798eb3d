/** What every route is given. */
import type { RpcClient } from '#chain/rpc/rpc-client.ts';
import type { Fleet } from '#gateway/fleet.ts';
import type { Log } from '#runtime/log.ts';
import type { SearchDeps } from '#semantic/search-knots.ts';
import type { Database } from '#sql/client.ts';
import type { Statements } from '#sql/statements.ts';
import type { AccountReader } from './account-reader.ts';
import type { ChainSpan } from './charts/build-chart.ts';
import type { SeriesReader } from './charts/series-reader.ts';
import type { ContractReader } from './contract-reader.ts';
import type { AddressSets } from './deposits/address-sets.ts';
import type { AnchorEvents } from './deposits/anchor-events.ts';
import type { HeadTime } from './head-time.ts';
import type { HolderReader } from './holder-reader.ts';
import type { Memo } from './memo.ts';
import type { PerState } from './per-state.ts';
import type { ReplyCache } from './reply-cache.ts';
import type { TopAccounts } from './routes/accounts/list-top-accounts.ts';
import type { StatsFigures, Totals } from './routes/stats/get-stats.ts';
import type { TokenTotals } from './routes/tokens/list-holders.ts';
import type { SnapshotReader } from './snapshot-reader.ts';
import type { UnsettledReader } from './unsettled.ts';

export interface ApiDeps {
  readonly database: Database;
  readonly statements: Statements;
  readonly snapshots: SnapshotReader;
  readonly replies: ReplyCache;
  readonly accounts: AccountReader;
  readonly contracts: ContractReader;
  readonly unsettled: UnsettledReader;
  readonly holders: HolderReader;
  /** Holder counts and sums by token. */
  readonly tokenTotals: PerState<TokenTotals>;
  readonly topAccounts: PerState<TopAccounts>;
  /** Figures over time. */
  readonly series: SeriesReader;
  readonly chainSpan: PerState<ChainSpan | undefined>;
  readonly headTime: HeadTime;
  readonly totals: PerState<StatsFigures>;
  /** Totals of closed buckets, by their marks. */
  readonly closedTotals: Memo<Totals>;
  readonly client: RpcClient;
  /** Nodes that requests are passed on to. */
  readonly fleet: Fleet;
  readonly anchorEvents: AnchorEvents;
  readonly addressSets: AddressSets;
  /** Search of knots by meaning. */
  readonly search: SearchDeps;
  readonly log: Log;
  readonly settings: ApiSettings;
}

export interface ApiSettings {
  readonly chainId: number;
  /** Blocks behind the chain's head up to which coverage counts as complete. */
  readonly freshnessToleranceBlocks: number;
  /** Most addresses of a set. */
  readonly addressSetLimit: number;
  readonly network: NetworkSettings;
  /** Secret of the administrator; undefined: there is none. */
  readonly adminToken: string | undefined;
}

/** The network as wallets take it. @source EIP-3085 */
export interface NetworkSettings {
  readonly chainName: string;
  readonly nativeCurrency: { readonly name: string; readonly symbol: string; readonly decimals: number };
  readonly rpcUrls: readonly string[];
  readonly explorerUrls: readonly string[];
}
