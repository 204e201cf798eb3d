/**
 * Reads the configuration from environment variables. If it is invalid, the command prints all errors and exits with 2.
 */
import { closest, distance } from 'fastest-levenshtein';
import { z } from 'zod';
import type { RateMode } from './budgets/budget.ts';
import { economyErrors, economyFields } from './config-economy.ts';
import { blank, count, httpUrl } from './config-fields.ts';
import { identityFields } from './config-identity.ts';
import { getEncoderThreads, pipelineFields } from './config-pipeline.ts';
import { getPorts } from './config-ports.ts';
import { queryErrors, queryFields } from './config-queries.ts';
import { registryFields } from './config-registry.ts';
import { passwordFileIn } from './engine-password.ts';
import { getFirst } from './lists.ts';
import { toOrigin } from './origins.ts';

const port = (fallback: number, text: string) =>
  z.preprocess(blank, z.coerce.number().int().min(1).max(65535).default(fallback)).describe(text);
const text = (fallback: string, description: string) =>
  z.preprocess(blank, z.string().max(64).default(fallback)).describe(description);
const url = (description: string) => z.preprocess(blank, httpUrl.optional()).describe(description);
const prefix = (description: string) => z.string().max(200).default('').describe(description);

export const configSchema = z.object({
  RPC_URL: z
    .preprocess(blank, z.string().optional())
    .transform((list) => list?.split(',').map((url) => url.trim()))
    .pipe(z.array(httpUrl).min(1).optional())
    .describe('JSON-RPC endpoints of the chain, comma-separated HTTP URLs; unset: the local dev chain'),
  WRITER_URL: z
    .preprocess(blank, httpUrl.optional())
    .describe('URL of the node that receives transactions; unset: the first URL of RPC_URL'),
  READ_POOL_URLS: z
    .preprocess(blank, z.string().optional())
    .transform((list) => list?.split(',').map((url) => url.trim()))
    .pipe(z.array(httpUrl).min(1).optional())
    .describe('Nodes to which the JSON-RPC edge forwards read calls, comma-separated HTTP URLs; unset: all of RPC_URL'),
  EDGE_READ_ONLY: z
    .preprocess(blank, z.enum(['true', 'false']).default('false'))
    .describe('true: the JSON-RPC edge (proxy to the nodes) rejects all transactions'),
  EDGE_MAX_CLIENTS: count(
    20_000,
    'Maximum concurrent WebSocket clients of the JSON-RPC edge (proxy to the nodes); a quarter of them per network',
    1,
  ),
  RPC_WS_URL: z
    .preprocess(blank, z.url({ protocol: /^wss?$/, error: 'must be a ws or wss URL' }).optional())
    .describe('WebSocket URL of a node; unset with RPC_URL: the pipeline polls, and the edge refuses WebSockets'),
  DEVCHAIN_PORT: port(8545, 'Port of the local dev chain'),
  CLICKHOUSE_URL: z
    .preprocess(blank, httpUrl.optional())
    .describe('ClickHouse HTTP URL with credentials; unset: the embedded ClickHouse'),
  CLICKHOUSE_PORT: port(8123, 'Port of the embedded ClickHouse'),
  CLICKHOUSE_DATABASE: z
    .preprocess(
      blank,
      z
        .string()
        .regex(
          /^[A-Za-z_][A-Za-z0-9_]{0,62}$/,
          'must be a database name: a letter or _, then up to 62 letters, digits or _',
        )
        .default('cordscan'),
    )
    .describe('Name of the database in ClickHouse'),
  CLICKHOUSE_CLUSTER: z
    .preprocess(
      blank,
      z
        .string()
        .regex(/^[A-Za-z0-9_.-]{1,64}$/, 'must be a cluster name: 1 to 64 letters, digits, _, . or -')
        .optional(),
    )
    .describe(
      'Name of the ClickHouse cluster (in remote_servers) that stores the tables, only with CLICKHOUSE_URL; unset: one server',
    ),
  DATA_DIR: z
    .preprocess(blank, z.string().default('./data'))
    .describe('Directory for the embedded ClickHouse, its password and the service key'),
  BACKUP_DIR: z
    .preprocess(blank, z.string().optional())
    .describe('Directory for backups of the embedded ClickHouse; unset: backups in DATA_DIR'),
  PORT: port(3000, 'Port of the API and the explorer'),
  EDGE_PORT: port(3001, 'Port of the JSON-RPC edge (proxy to the nodes)'),
  METRICS_PORT: z
    .preprocess(blank, z.coerce.number().int().min(1).max(65535).optional())
    .describe('Port of the pipeline for /metrics, /healthz and /readyz; unset: none'),
  READY_MAX_LAG_BLOCKS: count(100, 'Lag behind the chain, in blocks, above which /readyz fails'),
  HOST: z.preprocess(blank, z.string().default('127.0.0.1')).describe('Address on which the service listens'),
  CHAIN_ID: count(271828, 'Id of the indexed chain', 1),
  GENESIS_HASH: z
    .preprocess(
      blank,
      z
        .string()
        .regex(/^0x[0-9a-fA-F]{64}$/, 'must be a hash: 0x and 64 hex digits')
        .toLowerCase()
        .optional(),
    )
    .describe(
      'Expected hash of block 0. Pipeline and API check it before they first use a node of RPC_URL; edge and /api/rpc check it every minute, and forward no requests to nodes that have another hash. Unset: pipeline and API compare with the hash that the first start stored, edge and /api/rpc compare nothing',
    ),
  GENESIS_FILE: z
    .preprocess(blank, z.string().optional())
    .describe(
      'Genesis file (geth "alloc" or Parity "accounts") whose accounts are added to the top accounts; unset: only accounts seen in blocks',
    ),
  START_BLOCK: count(0, 'First block to index'),
  FINALITY_DEPTH: z
    .preprocess(
      blank,
      z.coerce.number().int().min(20, 'must be at least 20, the confirmations that a deposit needs').optional(),
    )
    .describe("Number of later blocks that make a block final; unset: the node's finalized tag, or 32 if unsupported"),
  DEEP_REORG: z
    .preprocess(blank, z.enum(['hold', 'follow']).default('hold'))
    .describe(
      'Reaction to a reorg of finalized blocks. hold: stop writing until an operator runs cordscan rewind; follow: rewind to the fork and continue',
    ),
  VERIFY: z
    .preprocess(blank, z.enum(['links', 'hash', 'roots']).default('links'))
    .describe(
      'Which node data is checked. links: parent hashes, counts and log blooms; hash: also block hashes; roots: also senders and the Merkle roots of transactions, receipts and withdrawals',
    ),
  TRACES: z
    .preprocess(blank, z.enum(['auto', 'on', 'off']).default('auto'))
    .describe(
      'Whether internal transfers (coins sent by contracts) are indexed, by trace_block, debug_traceBlockByHash or debug_traceBlockByNumber. auto: if a node can trace; history is traced after it is indexed. on: history is traced while it is indexed, with a warning for each block without a trace',
    ),
  ...pipelineFields,
  FRESHNESS_TOLERANCE_BLOCKS: count(3, 'Maximum lag in blocks at which replies report the index as complete'),
  ...queryFields,
  EXPORTS_AT_ONCE: count(
    4,
    'Maximum concurrent exports (the embedded ClickHouse supports 4); one caller may use half of them',
    1,
    64,
  ),
  STREAMS_AT_ONCE: count(2_000, 'Maximum concurrent event streams', 1),
  STREAMS_OF_CALLER: count(100, 'Maximum concurrent event streams per caller', 1),
  ADDRESS_SET_LIMIT: count(
    1_000,
    'Maximum addresses in an address set for watching deposits. Each counts as 24 bytes in KEPT_BYTES_ANONYMOUS and KEPT_BYTES_KEYED',
    1,
    1_000_000,
  ),
  CHAIN_NAME: text('Cord Mainnet', 'Name of the chain that wallets show'),
  COIN_NAME: text('FAT', 'Name of the native coin'),
  COIN_SYMBOL: text('FAT', 'Symbol of the native coin'),
  PUBLIC_URL: url('Public origin of the explorer and API; unset: HOST and PORT'),
  PUBLIC_RPC_URL: url('Public URL of the JSON-RPC edge (proxy to the nodes); unset: HOST and EDGE_PORT'),
  SOURCE_URL: url('Page with the source code of this service, for the footer of pages; unset: no link'),
  TERMS_URL: url('Page with the terms of use, for the footer of pages; unset: no link'),
  ...identityFields,
  ...registryFields,
  ADMIN_TOKEN: z
    .preprocess(blank, z.string().min(16, 'must have at least 16 characters').optional())
    .describe('Secret of the administrator, sent as X-Admin-Token; unset: admin endpoints are disabled'),
  ...economyFields,
  EMBEDDINGS_URL: z
    .preprocess(blank, httpUrl.optional())
    .describe('Base URL of an OpenAI-compatible embeddings endpoint, ending in /v1; unset: a small built-in model'),
  EMBEDDINGS_MODEL: text('text-embedding-3-small', 'Model name at the embeddings endpoint'),
  EMBEDDINGS_KEY: z
    .preprocess(blank, z.string().optional())
    .describe('API key of the embeddings endpoint, sent as Bearer token; unset: none'),
  EMBEDDINGS_DIMENSIONS: count(
    1_536,
    'Length of the vectors that the embeddings endpoint returns; other lengths are rejected',
    1,
    8_192,
  ),
  EMBEDDINGS_QUERY_PREFIX: prefix('Text before every query for the embeddings model, which models such as e5 require'),
  EMBEDDINGS_DOCUMENT_PREFIX: prefix('Text before every document for the embeddings model'),
  LOG_LEVEL: z
    .preprocess(blank, z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'))
    .describe('Minimum level of log lines'),
  LOG_FORMAT: z
    .preprocess(blank, z.enum(['auto', 'json', 'text']).default('auto'))
    .describe('Format of log and errors. auto: text on a terminal, else json'),
});

type Parsed = z.output<typeof configSchema>;

export interface Config extends Parsed {
  /** RPC_URL, or the local dev chain. */
  readonly rpcUrls: string[];
  /** 0: the main thread encodes blocks. */
  readonly encoderThreads: number;
  /** RPC_WS_URL, or the WebSocket URL of the local dev chain. */
  readonly rpcWsUrl: string | undefined;
  readonly writerUrl: string;
  readonly readPoolUrls: string[];
  /** CLICKHOUSE_URL, or the URL of the embedded ClickHouse. */
  readonly clickhouseUrl: string;
  /** Password file of the embedded ClickHouse; undefined with CLICKHOUSE_URL. */
  readonly clickhousePasswordFile: string | undefined;
  /** SQL_ACCESS, or its default. */
  readonly sqlAccess: 'off' | 'key' | 'open';
  /** RATE_LIMITS, or its default. */
  readonly rateMode: RateMode;
}

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: string[];
  constructor(faults: string[]) {
    const [first = '', ...others] = faults;
    super(
      `invalid configuration:${others.length === 0 ? ` ${first}` : faults.map((fault) => `\n  - ${fault}`).join('')}`,
    );
    this.faults = faults;
  }
}

/**
 * Parses the environment variables.
 * @throws ConfigError also for contradictory settings
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const result = configSchema.safeParse(env);
  const misspelt = misspeltVariables(env);
  if (!result.success) {
    throw new ConfigError([...result.error.issues.map((issue) => describeIssue(issue, env)), ...misspelt]);
  }
  const errors = [...contradictions(result.data), ...misspelt];
  if (errors.length > 0) throw new ConfigError(errors);
  const c = result.data;
  const devChainUrl = toOrigin(c.HOST, c.DEVCHAIN_PORT);
  const rpcUrls = c.RPC_URL ?? [devChainUrl];
  return {
    ...c,
    rpcUrls,
    encoderThreads: c.ENCODER_THREADS ?? getEncoderThreads(),
    writerUrl: c.WRITER_URL ?? getFirst(rpcUrls),
    readPoolUrls: c.READ_POOL_URLS ?? rpcUrls,
    rpcWsUrl: c.RPC_URL ? c.RPC_WS_URL : devChainUrl.replace('http:', 'ws:'),
    clickhouseUrl: c.CLICKHOUSE_URL ?? `http://127.0.0.1:${c.CLICKHOUSE_PORT}`,
    clickhousePasswordFile: c.CLICKHOUSE_URL ? undefined : passwordFileIn(c.DATA_DIR),
    sqlAccess: getSqlAccess(c),
    rateMode: c.RATE_LIMITS ?? (isLoopback(c.HOST) ? 'observe' : 'enforce'),
  };
}

function getSqlAccess(c: Parsed): Config['sqlAccess'] {
  if (c.CLICKHOUSE_URL && !c.SQL_CLICKHOUSE_URL) return 'off';
  return c.SQL_ACCESS ?? (isLoopback(c.HOST) && !c.RPC_URL ? 'open' : 'key');
}

/** @source RFC 1122, 3.2.1.3; RFC 4291, 2.5.3 */
export const isLoopback = (host: string): boolean => /^(127(\.\d{1,3}){3}|::1|localhost)$/i.test(host);

/** Returns whether a variable may contain a secret. URLs of node providers often contain API keys. */
export const isSecret = (name: string): boolean => /_(URLS?|TOKEN|KEY)$/.test(name);

function describeIssue(
  issue: { path: PropertyKey[]; message: string },
  env: Record<string, string | undefined>,
): string {
  const name = String(issue.path[0]);
  const value = isSecret(name) ? '' : `, got ${JSON.stringify(env[name])}`;
  const text = configSchema.shape[name as keyof Parsed]?.description ?? '';
  return `${name}: ${issue.message}${value} (${name} is: ${text})`;
}

/** Minimum length of names to check for misspelling. Shorter ones, such as PORT, resemble those of other programs. */
const shortestCompared = 7;

/** Reports unknown names within two letters of a known name, such as START_BLOK. */
function misspeltVariables(env: Record<string, string | undefined>): string[] {
  const names = Object.keys(configSchema.shape);
  return Object.keys(env).flatMap((name) => {
    if (name in configSchema.shape || name.length < shortestCompared) return [];
    const similar = closest(name, names);
    return distance(name, similar) <= 2 ? [`${name} is unknown: did you mean ${similar}?`] : [];
  });
}

function contradictions(c: Parsed): string[] {
  const errors = [...economyErrors(c), ...queryErrors(c)];
  if (c.RPC_WS_URL && !c.RPC_URL)
    errors.push('RPC_WS_URL is set without RPC_URL: set both, because they must belong to one chain');
  if (c.OIDC_ISSUER && !c.OIDC_AUDIENCE)
    errors.push('OIDC_ISSUER is set without OIDC_AUDIENCE: set both, else tokens for any audience are accepted');
  if (!c.CLICKHOUSE_URL && c.CLICKHOUSE_DATABASE === 'default')
    errors.push(
      'CLICKHOUSE_DATABASE must not be "default", which the embedded ClickHouse keeps in memory only: set another name',
    );
  if (c.CLICKHOUSE_CLUSTER && !c.CLICKHOUSE_URL)
    errors.push(
      'CLICKHOUSE_CLUSTER is set without CLICKHOUSE_URL: set both, because the embedded ClickHouse has no cluster',
    );
  const ports = new Map<number, string>();
  for (const { name, port } of getPorts(c)) {
    const other = ports.get(port);
    if (other) errors.push(`${name} and ${other} must be different ports, but both are ${port}`);
    ports.set(port, name);
  }
  if (new Set(c.RPC_URL).size < (c.RPC_URL?.length ?? 0))
    errors.push('RPC_URL contains the same URL twice: remove one');
  return errors;
}
