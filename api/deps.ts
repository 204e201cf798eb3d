/** Dependencies that compose.ts creates. Other modules declare only those that they use. */

import type { RpcClient } from '#chain/rpc/rpc-client.ts';
import type { Upstreams } from '#gateway/upstreams.ts';
import type { Directory } from '#registry/directory.ts';
import type { Places } from '#runtime/budgets/places.ts';
import type { Log } from '#runtime/log.ts';
import type { OutboundNetwork } from '#runtime/outbound/outbound.ts';
import type { SearchDeps } from '#semantic/search-knots.ts';
import type { Database } from '#sql/client.ts';
import type { UserDatabase } from '#sql/user-database.ts';
import type { Cache } from './cache/cache.ts';
import type { ReplyCache } from './cache/reply-cache.ts';
import type { AdmissionDeps } from './http/admission.ts';
import type { Metrics } from './http/metrics.ts';
import type { RateSettings } from './http/rate-tiers.ts';
import type { PrivateTags } from './read/account/private-tags.ts';
import type { Watches } from './read/account/watches.ts';
import type { AccountFiguresReader } from './read/accounts/account-figures.ts';
import type { AccountReader } from './read/accounts/account-reader.ts';
import type { ContractReader } from './read/accounts/contract-reader.ts';
import type { FewHoldings } from './read/accounts/few-holdings.ts';
import type { HistoryAhead } from './read/accounts/history-ahead.ts';
import type { TracedReader } from './read/accounts/internal-calls/traced-reader.ts';
import type { AccountHistory } from './read/accounts/read-history.ts';
import type { TopAccounts } from './read/accounts/top-accounts.ts';
import type { BlockTimes } from './read/chain/block-times.ts';
import type { StatsFigures, Totals } from './read/chain/figures.ts';
import type { PendingMemory } from './read/chain/pending-transaction.ts';
import type { PlacedReads } from './read/chain/placed-reads.ts';
import type { Snapshots } from './read/chain/snapshot-reader.ts';
import type { TransactionReader } from './read/chain/transaction-reader.ts';
import type { ValidatorReader } from './read/chain/validators.ts';
import type { QueryCharts } from './read/charts/query-charts.ts';
import type { SenderReturns } from './read/charts/sender-returns.ts';
import type { SeriesReader } from './read/charts/series-reader.ts';
import type { Checkpoints } from './read/checkpoints/make-checkpoint.ts';
import type { ContractVerifier, VerifierSettings } from './read/contracts/contract-verifier.ts';
import type { Creations } from './read/contracts/creations.ts';
import type { Signatures } from './read/contracts/signatures/signatures.ts';
import type { VerifiedContracts } from './read/contracts/verified-contracts.ts';
import type { AddressSets } from './read/deposits/address-sets.ts';
import type { AnchorEvents } from './read/deposits/anchor-events.ts';
import type { DocumentSigner } from './read/export/document-signer.ts';
import type { ExportSlots } from './read/export/places.ts';
import type { OpenIdSettings } from './read/identity/open-id.ts';
import type { SignIn } from './read/identity/sign-in.ts';
import type { IntegrationRequests } from './read/integration/integration-requests.ts';
import type { NodeCheck } from './read/integration/self-check.ts';
import type { Pool, PriceSettings } from './read/market/pools.ts';
import type { Price } from './read/market/price.ts';
import type { MarketSettings, Venues } from './read/market/venues.ts';
import type { QueryTurns } from './read/query/query-turns.ts';
import type { IndexCounts } from './read/registry/index-counts.ts';
import type { LabelMaps } from './read/registry/label-maps.ts';
import type { SourceReader, SourceSchedule } from './read/registry/source-reader.ts';
import type { SqlSettings } from './read/sql/prepared-query.ts';
import type { RunningQueries } from './read/sql/running-queries.ts';
import type { SavedQueries } from './read/sql/saved-queries.ts';
import type { Schedules } from './read/sql/schedules.ts';
import type { StuckQueries } from './read/sql/stuck-queries.ts';
import type { SupplySettings } from './read/supply/settings.ts';
import type { SupplyReader } from './read/supply/supply-reader.ts';
import type { HolderReader } from './read/tokens/holder-reader.ts';
import type { NftMetadataReader } from './read/tokens/nft-metadata.ts';
import type { TokenLedger } from './read/tokens/token-ledger.ts';
import type { TokenStandards } from './read/tokens/token-standards.ts';
import type { LogReads } from './tail/log-reads.ts';
import type { RecentBlocks } from './tail/recent-blocks.ts';
import type { RecentHistory } from './tail/recent-history.ts';
import type { RecentList } from './tail/recent-rows.ts';
import type { Cursors } from './terms/cursor.ts';
import type { FooterLinks, NetworkSettings } from './terms/network.ts';
import type { TokenRecord, TransactionRecord, TransferRecord } from './terms/records.ts';

export interface ApiDeps {
  readonly database: Database;
  readonly snapshots: Snapshots;
  readonly replies: ReplyCache;
  readonly accounts: AccountReader;
  readonly accountFigures: AccountFiguresReader;
  readonly contracts: ContractReader;
  readonly recentHistory: RecentHistory;
  readonly accountHistory: AccountHistory;
  readonly recentTransfers: RecentList<TransferRecord>;
  readonly recentTransactions: RecentList<TransactionRecord>;
  readonly creations: Creations;
  readonly placedCalls: PlacedReads<'calls_at'>;
  readonly placedTransactions: PlacedReads<'transactions_at'>;
  readonly transactions: TransactionReader;
  readonly traced: TracedReader;
  readonly holders: HolderReader;
  readonly historyAhead: HistoryAhead;
  readonly tokens: Cache<TokenRecord | undefined>;
  readonly tokenLedger: TokenLedger;
  readonly tokenStandards: TokenStandards;
  readonly fewHoldings: FewHoldings;
  readonly topAccounts: Cache<TopAccounts>;
  readonly series: SeriesReader;
  readonly recentBlocks: RecentBlocks;
  readonly blockTimes: BlockTimes;
  readonly senderReturns: SenderReturns;
  readonly queryCharts: QueryCharts;
  readonly totals: Cache<StatsFigures>;
  readonly closedTotals: Cache<Totals>;
  readonly traces: Cache<unknown>;
  readonly pending: PendingMemory;
  readonly pools: Cache<Pool[]>;
  readonly prices: Cache<Price>;
  readonly supply: SupplyReader;
  readonly venues: Venues;
  readonly client: RpcClient;
  readonly upstreams: Upstreams;
  readonly sources: SourceReader;
  readonly labelMaps: LabelMaps;
  readonly registryCounts: Cache<IndexCounts>;
  readonly directories: Cache<Directory>;
  readonly validators: ValidatorReader;
  readonly selfChecks: Cache<{ readonly at: number; readonly checks: readonly NodeCheck[] }>;
  readonly logReads: LogReads;
  readonly integrationRequests: IntegrationRequests;
  readonly signatures: Signatures;
  readonly verified: VerifiedContracts;
  readonly verifier: ContractVerifier;
  readonly anchorEvents: AnchorEvents;
  readonly addressSets: AddressSets;
  readonly nftMetadata: NftMetadataReader;
  readonly privateTags: PrivateTags;
  readonly watches: Watches;
  readonly savedQueries: SavedQueries;
  readonly schedules: Schedules;
  readonly outbound: OutboundNetwork;
  readonly exportSlots: ExportSlots;
  /** For text replies of /changes: they need less memory than exports. */
  readonly changeSlots: ExportSlots;
  readonly documentSigner: DocumentSigner;
  readonly queryTurns: QueryTurns;
  /** Undefined: user SQL is disabled. */
  readonly userDatabase: UserDatabase | undefined;
  readonly sqlQueries: RunningQueries;
  readonly stuckQueries: StuckQueries;
  readonly streamSlots: Places;
  readonly admission: AdmissionDeps;
  readonly signIn: SignIn;
  readonly checkpoints: Checkpoints;
  readonly search: SearchDeps;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly cursors: Cursors;
  readonly settings: ApiSettings;
}

export interface ApiSettings extends EconomySettings {
  readonly chainId: number;
  /** Maximum lag in blocks at which replies call the index complete. */
  readonly freshnessToleranceBlocks: number;
  /** /status reports missing new blocks if the newest one is older, s; undefined: never. */
  readonly maxBlockAgeSeconds: number | undefined;
  readonly addressSetLimit: number;
  readonly watches: {
    /** False: another process sends the notifications. */
    readonly sends: boolean;
    readonly most: number;
    readonly trustedHosts: readonly string[];
  };
  readonly readyMaxLagBlocks: number;
  readonly pageScanRows: number;
  readonly queryMaxRows: number;
  readonly sql: SqlSettings;
  readonly exportsAtOnce: number;
  readonly streamsAtOnce: { readonly most: number; readonly perCaller: number };
  readonly network: NetworkSettings;
  /** Public origin; its host is the domain in sign-in messages. */
  readonly origin: string;
  /** False if PUBLIC_URL is unset and HOST is not a loopback address. Sign-in is then disabled. */
  readonly isOriginKnown: boolean;
  readonly footerLinks: FooterLinks;
  readonly rates: RateSettings;
  readonly openId: OpenIdSettings | undefined;
  /** Comma-separated list, or @file. */
  readonly operatorWallets: string;
  readonly sources: SourceSchedule;
  /** Published hash of block 0, lower case. */
  readonly genesisHash: string | undefined;
  /** Contract in which AI agents publish statements, lower case. */
  readonly testimonyContract: string | undefined;
  readonly validatorsMethod: string | undefined;
  readonly nftMetadata: boolean;
  readonly integrationRequestsPerHour: number;
  readonly verifier: VerifierSettings;
  /** Base URL. */
  readonly signaturesUrl: string | undefined;
  /** Base URL of a Sourcify instance. */
  readonly sourcifyUrl: string | undefined;
  /** Undefined: admin endpoints are disabled. */
  readonly adminToken: string | undefined;
}

export interface EconomySettings {
  readonly price: PriceSettings;
  readonly supply: SupplySettings;
  readonly markets: MarketSettings;
}
