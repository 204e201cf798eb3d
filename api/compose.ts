import { Places } from '#runtime/budgets/places.ts';
import { type OutboundNetwork, systemNetwork } from '#runtime/outbound/outbound.ts';
import type { ServiceKey } from '#runtime/service-key.ts';
import { createSearch } from '#semantic/create-search.ts';
import type { Embedder } from '#semantic/embed/embedder.ts';
import { Cache } from './cache/cache.ts';
import { ReplyCache } from './cache/reply-cache.ts';
import { createIdentityDeps } from './compose-identity.ts';
import type { ApiDeps } from './deps.ts';
import { Metrics } from './http/metrics.ts';
import { PrivateTags } from './read/account/private-tags.ts';
import { Watches } from './read/account/watches.ts';
import { AccountFiguresReader } from './read/accounts/account-figures.ts';
import { AccountReader } from './read/accounts/account-reader.ts';
import { ContractReader } from './read/accounts/contract-reader.ts';
import { FewHoldings } from './read/accounts/few-holdings.ts';
import { HistoryAhead } from './read/accounts/history-ahead.ts';
import { TracedReader } from './read/accounts/internal-calls/traced-reader.ts';
import { AccountHistory } from './read/accounts/read-history.ts';
import { BlockTimes } from './read/chain/block-times.ts';
import { PendingMemory } from './read/chain/pending-transaction.ts';
import { placedReads } from './read/chain/placed-reads.ts';
import { createRecentTransactions } from './read/chain/recent-transactions.ts';
import { SnapshotReader } from './read/chain/snapshot-reader.ts';
import { TransactionReader } from './read/chain/transaction-reader.ts';
import { ValidatorReader } from './read/chain/validators.ts';
import { QueryCharts } from './read/charts/query-charts.ts';
import { SenderReturns } from './read/charts/sender-returns.ts';
import { SeriesReader } from './read/charts/series-reader.ts';
import { checkpointSigner } from './read/checkpoints/checkpoint.ts';
import { Checkpoints } from './read/checkpoints/make-checkpoint.ts';
import { ContractVerifier } from './read/contracts/contract-verifier.ts';
import { Creations } from './read/contracts/creations.ts';
import { Signatures } from './read/contracts/signatures/signatures.ts';
import { VerifiedContracts } from './read/contracts/verified-contracts.ts';
import { AddressSets } from './read/deposits/address-sets.ts';
import { AnchorEvents } from './read/deposits/anchor-events.ts';
import { DocumentSigner } from './read/export/document-signer.ts';
import { ExportSlots } from './read/export/places.ts';
import { IntegrationRequests } from './read/integration/integration-requests.ts';
import { Venues } from './read/market/venues.ts';
import { QueryTurns } from './read/query/query-turns.ts';
import { LabelMaps } from './read/registry/label-maps.ts';
import { SourceReader } from './read/registry/source-reader.ts';
import { RunningQueries } from './read/sql/running-queries.ts';
import { SavedQueries } from './read/sql/saved-queries.ts';
import { Schedules } from './read/sql/schedules.ts';
import { StuckQueries } from './read/sql/stuck-queries.ts';
import { SupplyReader } from './read/supply/supply-reader.ts';
import { HolderReader } from './read/tokens/holder-reader.ts';
import { NftMetadataReader } from './read/tokens/nft-metadata.ts';
import { createRecentTransfers } from './read/tokens/recent-transfers.ts';
import { TokenLedger } from './read/tokens/token-ledger.ts';
import { TokenStandards } from './read/tokens/token-standards.ts';
import { LogReads } from './tail/log-reads.ts';
import { RecentBlocks } from './tail/recent-blocks.ts';
import { RecentHistory } from './tail/recent-history.ts';
import { createCursors } from './terms/cursor.ts';

interface ApiParts extends Pick<ApiDeps, 'database' | 'userDatabase' | 'client' | 'upstreams' | 'log' | 'settings'> {
  readonly serviceKey: ServiceKey;
  readonly outbound?: OutboundNetwork;
  /** Converts texts to vectors. Unset: search uses only word vectors. */
  readonly embedder?: Embedder;
  readonly metrics?: Metrics;
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one line per dependency
export function createApiDeps({ serviceKey, outbound = systemNetwork, embedder, ...parts }: ApiParts): ApiDeps {
  const { metrics = new Metrics() } = parts;
  const blockTimes = new BlockTimes(parts.database);
  const traced = new TracedReader(parts.database);
  const queryTurns = new QueryTurns();
  metrics.rpc.watch(parts.client);
  const { database, log } = parts;
  const recentHistory = new RecentHistory(database);
  const accountHistory = new AccountHistory(database, recentHistory, traced);
  const tokenLedger = new TokenLedger(database, recentHistory);
  const snapshots = new SnapshotReader(database);
  const signatures = new Signatures(database);
  const verified = new VerifiedContracts(database);
  const { chainId, verifier, watches } = parts.settings;
  const addressSets = new AddressSets(database, parts.settings.addressSetLimit);
  const nativeSymbol = parts.settings.network.nativeCurrency.symbol;
  return {
    ...parts,
    search: createSearch({ database, log, dense: embedder, nativeSymbol }),
    snapshots,
    replies: new ReplyCache(),
    closedTotals: new Cache('closed_totals'),
    traces: new Cache('traces'),
    pending: new PendingMemory(),
    metrics,
    recentHistory,
    accountHistory,
    recentTransfers: createRecentTransfers(database),
    recentTransactions: createRecentTransactions(database),
    creations: new Creations(database, accountHistory),
    placedCalls: placedReads(database, 'calls_at', 'placed_calls'),
    placedTransactions: placedReads(database, 'transactions_at', 'placed_transactions'),
    transactions: new TransactionReader(database, recentHistory),
    traced,
    holders: new HolderReader(database, tokenLedger),
    historyAhead: new HistoryAhead(),
    accounts: new AccountReader(parts.client),
    accountFigures: new AccountFiguresReader(database, recentHistory),
    contracts: new ContractReader(parts.client),
    tokens: new Cache('tokens'),
    tokenLedger,
    tokenStandards: new TokenStandards(database),
    fewHoldings: new FewHoldings(database),
    topAccounts: new Cache('top_accounts'),
    series: new SeriesReader(database),
    totals: new Cache('totals'),
    pools: new Cache('pools'),
    prices: new Cache('prices'),
    supply: new SupplyReader(),
    venues: new Venues(outbound),
    recentBlocks: new RecentBlocks(database),
    blockTimes,
    senderReturns: new SenderReturns(database),
    queryCharts: new QueryCharts({ ...parts, blockTimes, traced, queryTurns }),
    ...createIdentityDeps({ ...parts, serviceKey }),
    checkpoints: new Checkpoints(checkpointSigner(serviceKey)),
    cursors: createCursors(serviceKey),
    sources: new SourceReader(database, parts.settings.sources),
    labelMaps: new LabelMaps(database),
    registryCounts: new Cache('registry_counts'),
    directories: new Cache('directories'),
    logReads: new LogReads(recentHistory),
    selfChecks: new Cache('self_checks'),
    validators: new ValidatorReader(parts.client, parts.settings.validatorsMethod),
    signatures,
    verified,
    verifier: new ContractVerifier({ ...parts, chainId, snapshots, signatures, verified, settings: verifier }),
    integrationRequests: new IntegrationRequests(database, parts.settings.integrationRequestsPerHour),
    anchorEvents: new AnchorEvents(database),
    documentSigner: new DocumentSigner(serviceKey),
    exportSlots: new ExportSlots(parts.settings.exportsAtOnce),
    changeSlots: new ExportSlots(4 * parts.settings.exportsAtOnce),
    queryTurns,
    sqlQueries: new RunningQueries(),
    stuckQueries: new StuckQueries(),
    savedQueries: new SavedQueries(database),
    schedules: new Schedules(database, serviceKey),
    streamSlots: streamPlaces(parts.settings.streamsAtOnce),
    addressSets,
    nftMetadata: new NftMetadataReader(database, parts.settings.nftMetadata),
    privateTags: new PrivateTags(database),
    watches: new Watches(database, addressSets, serviceKey, watches.most),
    outbound: { ...outbound, trustedHosts: watches.trustedHosts },
  };
}

/** Limits a network to a quarter of all streams, because deposit monitors depend on streams. */
const streamPlaces = ({ most, perCaller }: ApiDeps['settings']['streamsAtOnce']) =>
  new Places(most, perCaller, Math.max(perCaller, Math.floor(most / 4)));
