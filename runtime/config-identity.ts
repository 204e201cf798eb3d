/** Configuration of identity, keys and budgets. */
import { z } from 'zod';
import { blank, count, httpUrl } from './config-fields.ts';

export const identityFields = {
  SERVICE_KEY: z
    .preprocess(
      blank,
      z
        .string()
        .regex(/^[0-9a-fA-F]{64}$/, 'is no key of 32 bytes in hex')
        .optional(),
    )
    .describe('Secret that signs access tokens and checkpoints; absent: made on the first start, in DATA_DIR'),
  OIDC_ISSUER: z
    .preprocess(blank, httpUrl.optional())
    .describe('External OpenID provider whose access tokens are taken too; absent: none'),
  OIDC_AUDIENCE: z
    .preprocess(blank, z.string().max(256).optional())
    .describe('Audience that its tokens must be for; needed with OIDC_ISSUER'),
  OIDC_JWKS_URL: z
    .preprocess(blank, httpUrl.optional())
    .describe('Where its keys are; absent: its discovery document says'),
  SEMANTIC_OPERATOR_WALLETS: z
    .preprocess(blank, z.string().default(''))
    .describe('Wallets with operator scope: addresses apart by commas, or @file, which is read again every second'),
  RATE_LIMITS: z
    .preprocess(blank, z.enum(['off', 'observe', 'enforce']).optional())
    .describe(
      'off or observe: replies report the budgets and nobody is refused; enforce: requests over budget are refused. Default: enforce if HOST is not a loopback address, else observe',
    ),
  RATE_ANONYMOUS: count(600, 'Cost that an address may run up in a minute', 1),
  RATE_KEYED: count(6_000, 'The same of an identity with a key or a token', 1),
  RATE_OPERATOR: count(60_000, 'The same of an operator', 1),
  RATE_NETWORK: count(30_000, 'The same of all callers of a network (/24, /48) together, operators apart', 1),
  RATE_WATCHER: count(600, 'Requests of an address in a minute for /healthz, /readyz and /metrics', 1),
  KEPT_BYTES_ANONYMOUS: count(
    1_048_576,
    'Bytes of withdrawals that are stored in a day for a network (/24, /48) without a key',
    1,
  ),
  KEPT_BYTES_KEYED: count(67_108_864, 'The same of an identity with a key or a token', 1),
  METRICS_FROM: z
    .preprocess(blank, z.enum(['loopback', 'private', 'anywhere']).default('loopback'))
    .describe(
      'Who can read /metrics and the names of the nodes on PORT and EDGE_PORT: this machine only, private networks as well, or anybody',
    ),
  EDGE_RATE_ADDRESS: count(6_000, 'JSON-RPC calls of an address to the edge in a minute', 1),
  EDGE_RATE_NETWORK: count(30_000, 'The same of all addresses of a network (/24, /48) together', 1),
  EDGE_MAX_CLIENTS_ADDRESS: count(100, 'WebSocket clients of one address at once', 1),
  TRUSTED_PROXY_HOPS: count(0, "Proxies in front whose X-Forwarded-For tells the caller's address", 0, 10),
};
