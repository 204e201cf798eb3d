/**
 * All configuration of every process, read from the environment in one place.
 * Faults are listed together; the CLI prints them and exits 2.
 */
import { closest, distance } from 'fastest-levenshtein';
import { z } from 'zod';
import type { RateMode } from './budgets/budget.ts';
import { economyFaults, economyFields } from './config-economy.ts';
import { blank, count, httpUrl } from './config-fields.ts';
import { identityFields } from './config-identity.ts';
import { registryFields } from './config-registry.ts';
import { passwordFileIn } from './engine-password.ts';
import { firstOf } from './lists.ts';

const port = (fallback: number, text: string) =>
  z.preprocess(blank, z.coerce.number().int().min(1).max(65535).default(fallback)).describe(text);
const text = (fallback: string, description: string) =>
  z.preprocess(blank, z.string().max(64).default(fallback)).describe(description);
/** Kept with its blanks. */
const prefix = (description: string) => z.string().max(200).default('').describe(description);

/** Every variable with its type, default and description. */
export const configSchema = z.object({
  RPC_URL: z
    .preprocess(blank, z.string().optional())
    .transform((list) => list?.split(',').map((url) => url.trim()))
    .pipe(z.array(httpUrl).min(1).optional())
    .describe('JSON-RPC endpoints, comma separated HTTP URLs; absent: the local dev chain'),
  WRITER_URL: z
    .preprocess(blank, httpUrl.optional())
    .describe('Node that takes transactions; absent: the first of RPC_URL'),
  READ_POOL_URLS: z
    .preprocess(blank, z.string().optional())
    .transform((list) => list?.split(',').map((url) => url.trim()))
    .pipe(z.array(httpUrl).min(1).optional())
    .describe('Nodes of the read pool, comma separated HTTP URLs; absent: all of RPC_URL'),
  EDGE_READ_ONLY: z
    .preprocess(blank, z.enum(['true', 'false']).default('false'))
    .describe('true: the edge is a mirror that refuses transactions everywhere'),
  EDGE_MAX_CLIENTS: count(20_000, 'WebSocket clients of the edge at once', 1),
  RPC_WS_URL: z
    .preprocess(blank, z.url({ protocol: /^wss?$/, error: 'is no ws(s) URL' }).optional())
    .describe('WebSocket endpoint for new heads; absent: heads are polled'),
  DEVCHAIN_PORT: port(8545, 'Port of the local dev chain'),
  CLICKHOUSE_URL: z
    .preprocess(blank, httpUrl.optional())
    .describe('ClickHouse HTTP URL, credentials inside; absent: embedded ClickHouse'),
  CLICKHOUSE_PORT: port(8123, 'Port of the embedded ClickHouse'),
  CLICKHOUSE_DATABASE: z
    .preprocess(
      blank,
      z
        .string()
        .regex(/^[A-Za-z_][A-Za-z0-9_]{0,62}$/, 'is no database name')
        .default('cordscan'),
    )
    .describe('Database name'),
  CLICKHOUSE_CLUSTER: z
    .preprocess(
      blank,
      z
        .string()
        .regex(/^[A-Za-z0-9_.-]{1,64}$/, 'is no cluster name')
        .optional(),
    )
    .describe('Cluster of remote_servers that the tables are spread over, with CLICKHOUSE_URL; absent: one server'),
  DATA_DIR: z
    .preprocess(blank, z.string().default('./data'))
    .describe('Directory of the embedded ClickHouse and caches'),
  BACKUP_DIR: z
    .preprocess(blank, z.string().optional())
    .describe('Directory of backups of the embedded ClickHouse; absent: backups in DATA_DIR'),
  PORT: port(3000, 'Port of API and explorer'),
  EDGE_PORT: port(3001, 'Port of the JSON-RPC edge'),
  METRICS_PORT: z
    .preprocess(blank, z.coerce.number().int().min(1).max(65535).optional())
    .describe('Port of /metrics, /healthz and /readyz of the pipeline; absent: it has none'),
  READY_MAX_LAG_BLOCKS: count(100, 'Blocks behind the chain up to which /readyz says ready'),
  HOST: z.preprocess(blank, z.string().default('127.0.0.1')).describe('Address to listen on'),
  CHAIN_ID: count(271828, 'Chain id of the indexed chain', 1),
  GENESIS_HASH: z
    .preprocess(
      blank,
      z
        .string()
        .regex(/^0x[0-9a-fA-F]{64}$/, 'is no 32-byte 0x hex hash')
        .toLowerCase()
        .optional(),
    )
    .describe('Expected hash of block 0, checked at start; absent: not checked'),
  GENESIS_FILE: z
    .preprocess(blank, z.string().optional())
    .describe(
      'Genesis document (geth "alloc" or Parity "accounts"): its accounts are among the top accounts from the start; absent: accounts are known by the blocks alone',
    ),
  START_BLOCK: count(0, 'First block to index'),
  FINALITY_DEPTH: z
    .preprocess(blank, z.coerce.number().int().min(20, 'is under the 20 confirmations of the specification').optional())
    .describe(
      "Blocks behind the head that count as final; absent: the node's finalized tag where it means something, else 32",
    ),
  DEEP_REORG: z
    .preprocess(blank, z.enum(['hold', 'follow']).default('hold'))
    .describe(
      'After a reorg below the finalized height. hold: write nothing until an operator runs cordscan rewind. follow: rewind to the fork and follow the nodes',
    ),
  VERIFY: z
    .preprocess(blank, z.enum(['links', 'hash', 'roots']).default('links'))
    .describe('Checks of node data: links (links, counts, bloom), hash (block hash too), roots (both tries too)'),
  TRACES: z
    .preprocess(blank, z.enum(['off', 'on']).default('off'))
    .describe(
      'on: value that contracts move is indexed too, from debug_traceBlockByHash, debug_traceBlockByNumber or trace_block of the node',
    ),
  RPC_MAX_IN_FLIGHT: count(16, 'HTTP requests in flight to one RPC endpoint, upper bound', 1, 512),
  RPC_BATCH_BLOCKS: count(20, 'Blocks asked for in one JSON-RPC batch, upper bound', 1, 1000),
  RPC_TIMEOUT_MS: count(20_000, 'Time-out of one RPC request, ms', 100),
  POLL_INTERVAL_MS: count(500, 'How often heads are polled, ms', 20),
  INSERT_TARGET_ROWS: count(100_000, 'Rows of the largest table at which a range of blocks is inserted', 100, 500_000),
  LEASE_SECONDS: count(10, 'Silence of a pipeline after which another one takes over what it holds, seconds', 2, 600),
  CLAIM_BLOCKS: count(1_000, 'Final blocks that one of several pipelines claims at once', 1, 1_000_000),
  FRESHNESS_TOLERANCE_BLOCKS: count(3, 'Lag behind the head at which coverage still counts as complete'),
  PAGE_SCAN_ROWS: count(
    100_000,
    'Rows that one page of a list looks through where a condition has no key; its cursor goes on there',
    1_000,
  ),
  EXPORTS_AT_ONCE: count(
    4,
    'Exports that are read at once, half of them by one caller; the embedded ClickHouse has 4',
    1,
    64,
  ),
  STREAMS_AT_ONCE: count(2_000, 'Event streams that are open at once', 1),
  STREAMS_OF_CALLER: count(100, 'The same of one caller', 1),
  ADDRESS_SET_LIMIT: count(1_000, 'Most addresses of a set that anybody may have watched', 1, 1_000_000),
  CHAIN_NAME: text('Cord Mainnet', 'Name of the chain, as wallets show it'),
  COIN_NAME: text('FAT', 'Name of the native coin'),
  COIN_SYMBOL: text('FAT', 'Symbol of the native coin'),
  PUBLIC_URL: z
    .preprocess(blank, httpUrl.optional())
    .describe('Origin under which the public reaches explorer and API; absent: HOST and PORT'),
  PUBLIC_RPC_URL: z
    .preprocess(blank, httpUrl.optional())
    .describe('URL under which the public reaches the JSON-RPC edge; absent: HOST and EDGE_PORT'),
  ...identityFields,
  ...registryFields,
  ADMIN_TOKEN: z
    .preprocess(blank, z.string().min(16, 'is shorter than 16 characters').optional())
    .describe('Secret of the administrator, sent as X-Admin-Token; absent: nobody administrates'),
  ...economyFields,
  EMBEDDINGS_URL: z
    .preprocess(blank, httpUrl.optional())
    .describe('Base of an OpenAI-compatible embeddings endpoint, ends in /v1; absent: the small model of the package'),
  EMBEDDINGS_MODEL: text('text-embedding-3-small', 'Model asked of that endpoint'),
  EMBEDDINGS_KEY: z.preprocess(blank, z.string().optional()).describe('Key of that endpoint, sent as Bearer'),
  EMBEDDINGS_DIMENSIONS: count(1_536, 'Length of its vectors; others are refused', 1, 8_192),
  EMBEDDINGS_QUERY_PREFIX: prefix('Put before a query, as e5 and its kin want it'),
  EMBEDDINGS_DOCUMENT_PREFIX: prefix('Put before a text that is to be found'),
  LOG_LEVEL: z
    .preprocess(blank, z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'))
    .describe('Least severe log level that is written'),
});

type Parsed = z.output<typeof configSchema>;

/** Configuration as the rest of the program sees it; every value validated. */
export interface Config extends Parsed {
  /** RPC endpoints to use: RPC_URL, or the local dev chain. */
  readonly rpcUrls: string[];
  /** WebSocket of heads: RPC_WS_URL, or the local dev chain's when that is used. */
  readonly rpcWsUrl: string | undefined;
  readonly writerUrl: string;
  readonly readPoolUrls: string[];
  /** ClickHouse to use: CLICKHOUSE_URL, or the embedded one's. */
  readonly clickhouseUrl: string;
  /** File of the embedded one's password; undefined with CLICKHOUSE_URL. */
  readonly clickhousePasswordFile: string | undefined;
  /** RATE_LIMITS, or what HOST asks for. */
  readonly rateMode: RateMode;
}

/** A list of faults in the configuration; one line each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: string[];
  constructor(faults: string[]) {
    super(`configuration is not valid:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.faults = faults;
  }
}

/**
 * Parses and cross-checks the environment.
 * @throws ConfigError with every fault at once
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const result = configSchema.safeParse(env);
  const misspelt = misspeltVariables(env);
  if (!result.success) {
    throw new ConfigError([...result.error.issues.map((issue) => describeIssue(issue, env)), ...misspelt]);
  }
  const faults = [...contradictions(result.data), ...misspelt];
  if (faults.length > 0) throw new ConfigError(faults);
  const c = result.data;
  const rpcUrls = c.RPC_URL ?? [`http://127.0.0.1:${c.DEVCHAIN_PORT}`];
  return {
    ...c,
    rpcUrls,
    writerUrl: c.WRITER_URL ?? firstOf(rpcUrls),
    readPoolUrls: c.READ_POOL_URLS ?? rpcUrls,
    rpcWsUrl: c.RPC_URL ? c.RPC_WS_URL : `ws://127.0.0.1:${c.DEVCHAIN_PORT}`,
    clickhouseUrl: c.CLICKHOUSE_URL ?? `http://127.0.0.1:${c.CLICKHOUSE_PORT}`,
    clickhousePasswordFile: c.CLICKHOUSE_URL ? undefined : passwordFileIn(c.DATA_DIR),
    rateMode: c.RATE_LIMITS ?? (isLoopback(c.HOST) ? 'observe' : 'enforce'),
  };
}

/** Whether only this machine can reach what listens there. @source RFC 1122, 3.2.1.3; RFC 4291, 2.5.3 */
export const isLoopback = (host: string): boolean => /^(127(\.\d{1,3}){3}|::1|localhost)$/i.test(host);

/** True of variables that may hold a password or key; URLs of providers do. */
export const isSecret = (name: string): boolean => /_(URLS?|TOKEN|KEY)$/.test(name);

function describeIssue(
  issue: { path: PropertyKey[]; message: string },
  env: Record<string, string | undefined>,
): string {
  const name = String(issue.path[0]);
  const value = isSecret(name) ? '' : ` (given: ${JSON.stringify(env[name])})`;
  const text = configSchema.shape[name as keyof Parsed]?.description ?? '';
  return `${name} ${issue.message}${value}; it is: ${text}`;
}

/** Shortest name that is compared: short names such as PORT resemble variables of other programs. */
const shortestCompared = 7;

/** Names the variables that are one or two letters away from one of ours: START_BLOK would be ignored without a word. */
function misspeltVariables(env: Record<string, string | undefined>): string[] {
  const names = Object.keys(configSchema.shape);
  return Object.keys(env).flatMap((name) => {
    if (name in configSchema.shape || name.length < shortestCompared) return [];
    const similar = closest(name, names);
    return distance(name, similar) <= 2 ? [`${name} is unknown: did you mean ${similar}?`] : [];
  });
}

function contradictions(c: Parsed): string[] {
  const faults = economyFaults(c);
  if (c.RPC_WS_URL && !c.RPC_URL)
    faults.push('RPC_WS_URL is set without RPC_URL: heads and blocks would be of two chains');
  if (c.OIDC_ISSUER && !c.OIDC_AUDIENCE)
    faults.push('OIDC_ISSUER is set without OIDC_AUDIENCE: tokens for anybody would pass');
  if (!c.CLICKHOUSE_URL && c.CLICKHOUSE_DATABASE === 'default')
    faults.push(
      'CLICKHOUSE_DATABASE is default, which the embedded ClickHouse keeps in memory only: give another name',
    );
  const ports = new Map<number, string>();
  const used = {
    PORT: c.PORT,
    EDGE_PORT: c.EDGE_PORT,
    ...(c.METRICS_PORT ? { METRICS_PORT: c.METRICS_PORT } : {}),
    ...(c.CLICKHOUSE_URL ? {} : { CLICKHOUSE_PORT: c.CLICKHOUSE_PORT }),
    ...(c.RPC_URL ? {} : { DEVCHAIN_PORT: c.DEVCHAIN_PORT }),
  };
  for (const [name, port] of Object.entries(used)) {
    const taken = ports.get(port);
    if (taken) faults.push(`${name} and ${taken} are the same port ${port}`);
    ports.set(port, name);
  }
  if (new Set(c.RPC_URL).size < (c.RPC_URL?.length ?? 0)) faults.push('RPC_URL names an endpoint twice');
  return faults;
}
