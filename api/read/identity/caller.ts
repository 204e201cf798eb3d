/** Who sent a request, by its credentials alone. */
import type { IncomingHttpHeaders } from 'node:http';
import { decodeJwt, errors } from 'jose';
import { ApiProblem } from '../../terms/errors.ts';
import type { Identity } from './access.ts';
import type { AccessTokens } from './access-tokens.ts';
import { hashKey, isWellFormedKey } from './api-key.ts';
import type { ApiKey, KeyStore } from './key-store.ts';
import type { LinkedWallets } from './linked-wallets.ts';
import type { OpenIdProvider } from './open-id.ts';
import type { Operators } from './operators.ts';

/** A credential that was sent: what it proves, or what is wrong with it. */
export type Proof<T> = { readonly value: T; readonly fault?: undefined } | { readonly fault: ApiProblem };

/** An active key, and whose it is. */
export interface ProvedKey {
  readonly key: ApiKey;
  readonly identity: Identity;
}

export interface Caller {
  /** Of the access token; undefined: none was sent. */
  readonly token: Proof<Identity> | undefined;
  /** Of X-API-Key. */
  readonly key: Proof<ProvedKey> | undefined;
}

export interface Credentials {
  readonly tokens: AccessTokens;
  /** undefined: none is configured. */
  readonly openId: OpenIdProvider | undefined;
  readonly keys: KeyStore;
  readonly wallets: LinkedWallets;
  readonly operators: Operators;
}

/** Longest credential that is looked at, characters. */
const maxLength = 8_192;

/**
 * @param keyOfQuery `apikey` of the compatible interface
 * @throws ApiProblem, StoreError where something that has to be asked does not answer
 */
export async function findCaller(
  credentials: Credentials,
  headers: IncomingHttpHeaders,
  keyOfQuery?: string | undefined,
): Promise<Caller> {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  const key = headers['x-api-key'] ?? keyOfQuery;
  const [tokenProof, keyProof] = await Promise.all([
    headers.authorization === undefined ? undefined : proveToken(credentials, bearer),
    key === undefined ? undefined : proveKey(credentials, String(key)),
  ]);
  return { token: tokenProof, key: keyProof };
}

async function proveToken(credentials: Credentials, token: string | undefined): Promise<Proof<Identity>> {
  if (token === undefined || token.length > maxLength)
    return { fault: new ApiProblem('unauthorized', 'Authorization must be: Bearer <access token>') };
  try {
    return { value: await identityOf(credentials, await verifyToken(credentials, token)) };
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error;
    const isExpired = error instanceof errors.JWTExpired;
    return { fault: new ApiProblem('unauthorized', `the access token ${isExpired ? 'has expired' : 'is not valid'}`) };
  }
}

/** Who issued a token only says which keys it is checked with. */
function verifyToken({ tokens, openId }: Credentials, token: string): Promise<string> {
  const { iss } = decodeJwt(token);
  return openId && iss === openId.settings.issuer ? openId.verify(token) : tokens.verify(token);
}

async function proveKey(credentials: Credentials, text: string): Promise<NonNullable<Caller['key']>> {
  const key = isWellFormedKey(text) ? await credentials.keys.find(hashKey(text)) : undefined;
  if (!key) return { fault: new ApiProblem('invalid_api_key', 'there is no such API key') };
  if (key.revokedMs > 0) return { fault: new ApiProblem('key_revoked', 'this API key was revoked') };
  return { value: { key, identity: await identityOf(credentials, key.owner) } };
}

async function identityOf({ wallets, operators }: Credentials, id: string): Promise<Identity> {
  const linked = await wallets.of(id);
  return { id, wallets: linked, isOperator: await operators.includeAny(linked) };
}
