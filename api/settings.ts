import { join } from 'node:path';
import { type Config, isLoopback } from '#runtime/config.ts';
import { known } from '#runtime/known.ts';
import { toOrigin } from '#runtime/origins.ts';
import type { ApiDeps, EconomySettings } from './deps.ts';
import type { VerifierSettings } from './read/contracts/contract-verifier.ts';
import type { SupplySettings } from './read/supply/settings.ts';

export function economySettings(config: Config): EconomySettings {
  return {
    price: {
      wrapped: config.WFAT_ADDRESS,
      dollars: config.STABLECOINS,
      factories: config.DEX_FACTORIES,
      pools: config.DEX_POOLS,
      windowSeconds: config.PRICE_WINDOW_SECONDS,
      minLiquidity: config.PRICE_MIN_LIQUIDITY,
      minTrade: BigInt(config.PRICE_MIN_TRADE_CENTS) * 10n ** 16n,
      outlierPercent: config.PRICE_OUTLIER_PERCENT,
      staleSeconds: config.PRICE_STALE_SECONDS,
    },
    supply: supplySettings(config),
    markets: {
      hosts: config.FEED_HOSTS,
      depthCap: config.ORDER_BOOK_CAP,
      schedule: config.FEED_SCHEDULE,
      staleSeconds: config.FEED_STALE_SECONDS,
      timeoutMs: config.FEED_TIMEOUT_MS,
      maxBytes: config.FEED_MAX_BYTES,
    },
  };
}

function verifierSettings(config: Config): VerifierSettings {
  const { COMPILER_TIMEOUT_SECONDS: seconds, COMPILER_MEMORY_MB: memoryMib, VERIFICATIONS_AT_ONCE: most } = config;
  return {
    compilers: {
      dir: config.COMPILERS_DIR,
      url: config.COMPILERS_URL,
      downloadsDir: join(config.DATA_DIR, 'compilers'),
      timeoutMs: seconds * 1_000,
    },
    limits: { timeoutMs: seconds * 1_000, memoryMib },
    places: { most, perCaller: Math.ceil(most / 5) },
  };
}

function supplySettings(config: Config): SupplySettings {
  const wei = (whole: number) => BigInt(whole) * 10n ** 18n;
  const origin = (url: string | undefined, token: string | undefined) =>
    url === undefined ? undefined : { url, token };
  return {
    schedule: {
      genesis: wei(config.EMISSION_GENESIS_FAT),
      annual: wei(config.EMISSION_ANNUAL_FAT),
      eraYears: config.EMISSION_ERA_YEARS,
    },
    publishedMaximum: wei(config.EMISSION_PUBLISHED_MAX_FAT),
    emissionStart: config.EMISSION_START,
    rewardContract: config.REWARD_CONTRACT,
    emissionMethod: config.EMISSION_METHOD,
    areFeesBurned: config.FEES_BURNED === 'true',
    isMigratedOnTop: config.MIGRATED_ON_TOP === 'true',
    excluded: config.SUPPLY_EXCLUDED,
    bridge: config.BRIDGE_ADDRESS,
    origins: [origin(config.ORIGIN_1_URL, config.ORIGIN_1_TOKEN), origin(config.ORIGIN_2_URL, config.ORIGIN_2_TOKEN)],
  };
}

function openIdSettings({ OIDC_ISSUER: issuer, OIDC_AUDIENCE: audience, OIDC_JWKS_URL: jwksUrl }: Config) {
  return issuer ? { issuer, audience: known(audience, 'OIDC_AUDIENCE'), jwksUrl } : undefined;
}

function querySettings(config: Config): Pick<ApiDeps['settings'], 'pageScanRows' | 'queryMaxRows' | 'sql'> {
  return {
    pageScanRows: config.PAGE_SCAN_ROWS,
    queryMaxRows: config.QUERY_MAX_ROWS,
    sql: {
      access: config.sqlAccess,
      maxSeconds: config.SQL_MAX_SECONDS,
      maxMemoryMib: config.SQL_MAX_MEMORY_MB,
    },
  };
}

/** Equals the alert CordscanChainStandsStill of docs/operations/alerts.yml. */
const maxBlockAgeSeconds = 600;

const siteSettings = (config: Config) => ({
  isOriginKnown: config.PUBLIC_URL !== undefined || isLoopback(config.HOST),
  origin: new URL(config.PUBLIC_URL ?? toOrigin(config.HOST, config.PORT)).origin,
  footerLinks: { source: config.SOURCE_URL, terms: config.TERMS_URL },
});

export function apiSettings(config: Config): ApiDeps['settings'] {
  return {
    chainId: config.CHAIN_ID,
    freshnessToleranceBlocks: config.FRESHNESS_TOLERANCE_BLOCKS,
    maxBlockAgeSeconds: config.RPC_URL ? maxBlockAgeSeconds : undefined,
    addressSetLimit: config.ADDRESS_SET_LIMIT,
    watches: { sends: config.WATCHES === 'on', most: config.WATCHES_AT_MOST, trustedHosts: config.WATCH_HOSTS },
    readyMaxLagBlocks: config.READY_MAX_LAG_BLOCKS,
    ...querySettings(config),
    exportsAtOnce: config.EXPORTS_AT_ONCE,
    streamsAtOnce: { most: config.STREAMS_AT_ONCE, perCaller: config.STREAMS_OF_CALLER },
    adminToken: config.ADMIN_TOKEN,
    ...siteSettings(config),
    rates: {
      mode: config.rateMode,
      perMinute: { anonymous: config.RATE_ANONYMOUS, keyed: config.RATE_KEYED, operator: config.RATE_OPERATOR },
      perNetwork: config.RATE_NETWORK,
      perWatcher: config.RATE_WATCHER,
      watchers: config.METRICS_FROM,
      storedBytesPerDay: { anonymous: config.KEPT_BYTES_ANONYMOUS, keyed: config.KEPT_BYTES_KEYED, operator: 1e12 },
      proxyHops: config.TRUSTED_PROXY_HOPS,
    },
    openId: openIdSettings(config),
    operatorWallets: config.SEMANTIC_OPERATOR_WALLETS,
    ...economySettings(config),
    genesisHash: config.GENESIS_HASH,
    testimonyContract: config.AGENT_TESTIMONY_CONTRACT,
    validatorsMethod: config.VALIDATORS_METHOD,
    nftMetadata: config.NFT_METADATA === 'on',
    integrationRequestsPerHour: config.INTEGRATION_REQUESTS_PER_HOUR,
    verifier: verifierSettings(config),
    ...{ signaturesUrl: config.SIGNATURES_URL, sourcifyUrl: config.SOURCIFY_URL },
    sources: {
      refreshMs: 1000 * config.SOURCES_REFRESH_SECONDS,
      configured: {
        registry_manifest: config.REGISTRY_URL !== undefined,
        ecosystem_directory: config.ECOSYSTEM_DIRECTORY_URL !== undefined,
      },
    },
    network: {
      chainName: config.CHAIN_NAME,
      nativeCurrency: { name: config.COIN_NAME, symbol: config.COIN_SYMBOL, decimals: 18 },
      rpcUrls: [config.PUBLIC_RPC_URL ?? toOrigin(config.HOST, config.EDGE_PORT)],
      explorerUrls: [config.PUBLIC_URL ?? toOrigin(config.HOST, config.PORT)],
    },
  };
}
