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
    .preprocess(blank, z.enum(['off', 'observe', 'enforce']).default('observe'))
    .describe('off, observe: budgets are told and nobody is refused; enforce: who asks for more is'),
  RATE_ANONYMOUS: count(600, 'Cost that an address may run up in a minute', 1),
  RATE_KEYED: count(6_000, 'The same of an identity with a key or a token', 1),
  RATE_OPERATOR: count(60_000, 'The same of an operator', 1),
  TRUSTED_PROXY_HOPS: count(0, "Proxies in front whose X-Forwarded-For tells the caller's address", 0, 10),
};
