import { z } from 'zod';
import { blank, count, httpUrl, list } from './config-fields.ts';

export const identityFields = {
  SERVICE_KEY: z
    .preprocess(
      blank,
      z
        .string()
        .regex(/^[0-9a-fA-F]{64}$/, 'must be 64 hex digits (32 bytes)')
        .optional(),
    )
    .describe(
      'Secret that signs access tokens and checkpoints, 64 hex digits; unset: generated in DATA_DIR on the first start',
    ),
  OIDC_ISSUER: z
    .preprocess(blank, httpUrl.optional())
    .describe('Issuer URL of an external OpenID provider whose access tokens are accepted too; unset: none'),
  OIDC_AUDIENCE: z
    .preprocess(blank, z.string().max(256).optional())
    .describe('Audience (aud claim) that access tokens of OIDC_ISSUER must contain; required with OIDC_ISSUER'),
  OIDC_JWKS_URL: z
    .preprocess(blank, httpUrl.optional())
    .describe('URL of the JSON Web Key Set of OIDC_ISSUER; unset: read from its discovery document'),
  SEMANTIC_OPERATOR_WALLETS: z
    .preprocess(blank, z.string().default(''))
    .describe(
      'Wallets with operator rights: comma-separated addresses, or @ and a file name (read every second); unset: none',
    ),
  RATE_LIMITS: z
    .preprocess(blank, z.enum(['off', 'observe', 'enforce']).optional())
    .describe(
      'Rate limit mode. off or observe: only report limits; enforce: reject requests over the limit. Unset: observe if HOST is a loopback address, else enforce',
    ),
  RATE_ANONYMOUS: count(600, 'Maximum request cost per minute of one address without credentials', 1),
  RATE_KEYED: count(6_000, 'Maximum request cost per minute of one identity with an API key or access token', 1),
  RATE_OPERATOR: count(60_000, 'Maximum request cost per minute of one operator', 1),
  RATE_NETWORK: count(
    30_000,
    'Maximum request cost per minute of one network (IPv4 /24, IPv6 /48), without operators',
    1,
  ),
  RATE_WATCHER: count(600, 'Maximum requests per minute from one address to /healthz, /readyz and /metrics', 1),
  KEPT_BYTES_ANONYMOUS: count(
    1_048_576,
    'Maximum bytes per day that one network (IPv4 /24, IPv6 /48) without credentials may store: withdrawals, address sets, source code, SQL queries',
    1,
  ),
  KEPT_BYTES_KEYED: count(
    67_108_864,
    'Maximum bytes per day that one identity with an API key or access token may store: withdrawals, address sets, source code, SQL queries',
    1,
  ),
  WATCHES: z
    .preprocess(blank, z.enum(['on', 'off']).default('on'))
    .describe(
      'Whether this API process sends notifications of watched addresses and runs scheduled queries. If several API processes run, set off in all except one, because each would send them',
    ),
  WATCHES_AT_MOST: count(200, 'Maximum number of watches of all users', 0, 10_000),
  WATCH_HOSTS: list(
    z
      .string()
      .regex(/^[a-z0-9.-]+(:\d{1,5})?$/i, 'must be a host name or IPv4 address, optionally with :port')
      .toLowerCase(),
    'Hosts that may receive notifications by HTTP or at private addresses, comma-separated, with :port unless it is the default; unset: only HTTPS at public addresses',
  ),
  METRICS_FROM: z
    .preprocess(blank, z.enum(['loopback', 'private', 'anywhere']).default('loopback'))
    .describe(
      'Clients that may read /metrics and node names on PORT and EDGE_PORT. loopback: this machine; private: also private networks; anywhere: all clients',
    ),
  EDGE_RATE_ADDRESS: count(
    6_000,
    'Maximum JSON-RPC calls per minute from one address to the JSON-RPC edge (proxy to the nodes)',
    1,
  ),
  EDGE_RATE_NETWORK: count(
    30_000,
    'Maximum JSON-RPC calls per minute from one network (IPv4 /24, IPv6 /48) to the JSON-RPC edge (proxy to the nodes)',
    1,
  ),
  EDGE_MAX_CLIENTS_ADDRESS: count(
    100,
    'Maximum concurrent WebSocket clients of the JSON-RPC edge (proxy to the nodes) per address',
    1,
  ),
  TRUSTED_PROXY_HOPS: count(
    0,
    'Number of trusted proxies in front of the service that append to X-Forwarded-For',
    0,
    10,
  ),
};
