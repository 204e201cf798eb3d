/** Configuration of identity, keys and rate limits. */
import { z } from 'zod';
import { blank, count, httpUrl } from './config-fields.ts';

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
    .describe('Issuer URL of an external OpenID provider whose access tokens are also accepted; unset: none'),
  OIDC_AUDIENCE: z
    .preprocess(blank, z.string().max(256).optional())
    .describe('Audience (aud claim) that access tokens of OIDC_ISSUER must contain; required with OIDC_ISSUER'),
  OIDC_JWKS_URL: z
    .preprocess(blank, httpUrl.optional())
    .describe('URL of the JSON Web Key Set of OIDC_ISSUER; unset: read from its discovery document'),
  SEMANTIC_OPERATOR_WALLETS: z
    .preprocess(blank, z.string().default(''))
    .describe('Wallets with operator scope: comma-separated addresses, or @file, reread every second; unset: none'),
  RATE_LIMITS: z
    .preprocess(blank, z.enum(['off', 'observe', 'enforce']).optional())
    .describe(
      'Rate limit mode. off, observe: report limits only; enforce: reject requests over the limit. Unset: observe if HOST is a loopback address, else enforce',
    ),
  RATE_ANONYMOUS: count(600, 'Request cost limit per anonymous address, per minute', 1),
  RATE_KEYED: count(6_000, 'Request cost limit per identity with a key or token, per minute', 1),
  RATE_OPERATOR: count(60_000, 'Request cost limit per operator, per minute', 1),
  RATE_NETWORK: count(30_000, 'Request cost limit per network (IPv4 /24, IPv6 /48) without operators, per minute', 1),
  RATE_WATCHER: count(600, 'Limit of requests to /healthz, /readyz and /metrics per address, per minute', 1),
  KEPT_BYTES_ANONYMOUS: count(
    1_048_576,
    'Limit of stored withdrawals per anonymous network (IPv4 /24, IPv6 /48), bytes per day',
    1,
  ),
  KEPT_BYTES_KEYED: count(67_108_864, 'Limit of stored withdrawals per identity with a key or token, bytes per day', 1),
  METRICS_FROM: z
    .preprocess(blank, z.enum(['loopback', 'private', 'anywhere']).default('loopback'))
    .describe(
      'Callers that may read /metrics and node names on PORT and EDGE_PORT: loopback (this machine), private (plus private networks) or anywhere',
    ),
  EDGE_RATE_ADDRESS: count(6_000, 'Limit of JSON-RPC calls to the edge per address, per minute', 1),
  EDGE_RATE_NETWORK: count(
    30_000,
    'Limit of JSON-RPC calls to the edge per network (IPv4 /24, IPv6 /48), per minute',
    1,
  ),
  EDGE_MAX_CLIENTS_ADDRESS: count(100, 'Maximum concurrent WebSocket clients per address', 1),
  TRUSTED_PROXY_HOPS: count(0, 'Number of trusted proxies that append to X-Forwarded-For', 0, 10),
};
