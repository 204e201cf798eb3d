export interface ConfigGroup {
  readonly title: string;
  readonly names: readonly string[];
}

export const configGroups: readonly ConfigGroup[] = [
  {
    title: 'Chain and nodes',
    names: [
      ...['RPC_URL', 'RPC_WS_URL', 'WRITER_URL', 'READ_POOL_URLS', 'CHAIN_ID', 'GENESIS_HASH', 'GENESIS_FILE'],
      ...['START_BLOCK', 'FINALITY_DEPTH', 'DEEP_REORG', 'VERIFY', 'TRACES', 'DEVCHAIN_PORT'],
    ],
  },
  {
    title: 'Database',
    names: [
      ...['CLICKHOUSE_URL', 'CLICKHOUSE_PORT', 'CLICKHOUSE_DATABASE', 'CLICKHOUSE_CLUSTER', 'DATA_DIR', 'BACKUP_DIR'],
    ],
  },
  {
    title: 'Ports and addresses',
    names: ['HOST', 'PORT', 'EDGE_PORT', 'METRICS_PORT', 'PUBLIC_URL', 'PUBLIC_RPC_URL', 'SOURCE_URL', 'TERMS_URL'],
  },
  { title: 'Names of the chain', names: ['CHAIN_NAME', 'COIN_NAME', 'COIN_SYMBOL'] },
  {
    title: 'Pipeline',
    names: [
      ...['RPC_MAX_IN_FLIGHT', 'RPC_BATCH_BLOCKS', 'RPC_TIMEOUT_MS', 'POLL_INTERVAL_MS', 'INSERT_TARGET_ROWS'],
      ...['ENCODER_THREADS', 'LEASE_SECONDS', 'CLAIM_BLOCKS', 'RAW_CACHE_DIR'],
    ],
  },
  {
    title: 'API',
    names: [
      ...['READY_MAX_LAG_BLOCKS', 'FRESHNESS_TOLERANCE_BLOCKS', 'PAGE_SCAN_ROWS', 'QUERY_MAX_ROWS', 'EXPORTS_AT_ONCE'],
      ...['STREAMS_AT_ONCE', 'STREAMS_OF_CALLER', 'ADDRESS_SET_LIMIT', 'INTEGRATION_REQUESTS_PER_HOUR', 'ADMIN_TOKEN'],
      ...['SQL_ACCESS', 'SQL_CLICKHOUSE_URL', 'SQL_MAX_SECONDS', 'SQL_MAX_MEMORY_MB'],
    ],
  },
  {
    title: 'JSON-RPC edge',
    names: [
      ...['EDGE_READ_ONLY', 'EDGE_MAX_CLIENTS', 'EDGE_MAX_CLIENTS_ADDRESS', 'EDGE_RATE_ADDRESS', 'EDGE_RATE_NETWORK'],
    ],
  },
  {
    title: 'Identity and rate limits',
    names: [
      ...['SERVICE_KEY', 'OIDC_ISSUER', 'OIDC_AUDIENCE', 'OIDC_JWKS_URL', 'SEMANTIC_OPERATOR_WALLETS', 'RATE_LIMITS'],
      ...['RATE_ANONYMOUS', 'RATE_KEYED', 'RATE_OPERATOR', 'RATE_NETWORK', 'RATE_WATCHER', 'KEPT_BYTES_ANONYMOUS'],
      ...['KEPT_BYTES_KEYED', 'METRICS_FROM', 'TRUSTED_PROXY_HOPS', 'WATCHES', 'WATCHES_AT_MOST', 'WATCH_HOSTS'],
    ],
  },
  {
    title: 'Registry and contracts of the chain',
    names: [
      ...['REGISTRY_URL', 'REGISTRY_SHA256', 'ECOSYSTEM_DIRECTORY_URL', 'SOURCES_REFRESH_SECONDS', 'SOURCES_MAX_BYTES'],
      ...['SOURCES_TIMEOUT_SECONDS', 'AGENT_TESTIMONY_CONTRACT', 'VALIDATORS_METHOD', 'NFT_METADATA'],
      ...['NFT_METADATA_MAX_BYTES', 'IPFS_GATEWAY'],
    ],
  },
  {
    title: 'Verification of source code',
    names: [
      ...['COMPILERS_DIR', 'COMPILERS_URL', 'COMPILER_TIMEOUT_SECONDS', 'COMPILER_MEMORY_MB', 'VERIFICATIONS_AT_ONCE'],
      ...['SIGNATURES_URL', 'SOURCIFY_URL'],
    ],
  },
  {
    title: 'Price',
    names: [
      ...['WFAT_ADDRESS', 'STABLECOINS', 'DEX_FACTORIES', 'DEX_POOLS', 'PRICE_WINDOW_SECONDS', 'PRICE_MIN_LIQUIDITY'],
      ...['PRICE_MIN_TRADE_CENTS', 'PRICE_OUTLIER_PERCENT', 'PRICE_STALE_SECONDS'],
    ],
  },
  {
    title: 'Supply and migration',
    names: [
      ...['EMISSION_GENESIS_FAT', 'EMISSION_ANNUAL_FAT', 'EMISSION_ERA_YEARS', 'EMISSION_PUBLISHED_MAX_FAT'],
      ...['EMISSION_START', 'REWARD_CONTRACT', 'EMISSION_METHOD', 'FEES_BURNED', 'MIGRATED_ON_TOP', 'SUPPLY_EXCLUDED'],
      ...['BRIDGE_ADDRESS', 'ORIGIN_1_URL', 'ORIGIN_1_TOKEN', 'ORIGIN_2_URL', 'ORIGIN_2_TOKEN'],
    ],
  },
  {
    title: 'Order books',
    names: [
      ...['FEED_HOSTS', 'FEED_SCHEDULE', 'FEED_STALE_SECONDS', 'FEED_TIMEOUT_MS', 'FEED_MAX_BYTES', 'ORDER_BOOK_CAP'],
      'DEV_FEED',
    ],
  },
  {
    title: 'Search by meaning',
    names: [
      ...['EMBEDDINGS_URL', 'EMBEDDINGS_MODEL', 'EMBEDDINGS_KEY', 'EMBEDDINGS_DIMENSIONS'],
      ...['EMBEDDINGS_QUERY_PREFIX', 'EMBEDDINGS_DOCUMENT_PREFIX'],
    ],
  },
  { title: 'Log', names: ['LOG_LEVEL', 'LOG_FORMAT'] },
];
