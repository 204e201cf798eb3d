import type { IncomingHttpHeaders } from 'node:http';
import { decodeJwt, errors } from 'jose';
import { StoreError } from '#sql/store-error.ts';
import { ApiProblem } from '../../terms/errors.ts';
import type { Identity } from './access.ts';
import type { AccessTokens } from './access-tokens.ts';
import { hashKey, isWellFormedKey } from './api-key.ts';
import type { ApiKey, KeyStore } from './key-store.ts';
import type { LinkedWallets } from './linked-wallets.ts';
import type { OpenIdProvider } from './open-id.ts';
import type { Operators } from './operators.ts';

export type Proof<T> = { readonly value: T; readonly refusal?: undefined } | { readonly refusal: ApiProblem };

export interface ProvedKey {
  readonly key: ApiKey;
  readonly identity: Identity;
}

export interface Caller {
  readonly token: Proof<Identity> | undefined;
  readonly key: Proof<ProvedKey> | undefined;
}

export interface Credentials {
  readonly tokens: AccessTokens;
  readonly openId: OpenIdProvider | undefined;
  readonly keys: KeyStore;
  readonly wallets: LinkedWallets;
  readonly operators: Operators;
}

const maxLength = 8_192;

/**
 * Identifies the caller. Refuses credentials that cannot be checked at present, which matters only to routes that
 * require them.
 * @param keyOfQuery API key from the query parameter `apikey`
 */
export async function findCaller(
  credentials: Credentials,
  headers: IncomingHttpHeaders,
  keyOfQuery?: string | undefined,
): Promise<Caller> {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  const key = headers['x-api-key'] ?? keyOfQuery;
  const [tokenProof, keyProof] = await Promise.all([
    headers.authorization === undefined ? undefined : orUnchecked(checkToken(credentials, bearer)),
    key === undefined ? undefined : orUnchecked(checkKey(credentials, String(key))),
  ]);
  return { token: tokenProof, key: keyProof };
}

/** After this time, a credential counts as unchecked, so that public paths do not wait for a hanging database. */
const maxCheckMs = 4_000;
const uncheckedCodes: readonly string[] = ['store_unavailable', 'identity_provider_unavailable'];

/** Returns whether a credential was refused only because it cannot be checked at present. */
export const isUnchecked = (proof: Proof<unknown> | undefined): boolean =>
  proof?.refusal !== undefined && uncheckedCodes.includes(proof.refusal.code);

const notChecked = () => new ApiProblem('store_unavailable', 'the credentials can not be checked now: try again');

async function orUnchecked<T extends Proof<unknown>>(check: Promise<T>): Promise<T | { readonly refusal: ApiProblem }> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<{ readonly refusal: ApiProblem }>((resolve) => {
    timer = setTimeout(() => resolve({ refusal: notChecked() }), maxCheckMs);
  });
  const checked = check.catch((error: unknown) => {
    if (error instanceof StoreError) return { refusal: notChecked() };
    if (error instanceof ApiProblem && uncheckedCodes.includes(error.code)) return { refusal: error };
    throw error;
  });
  return Promise.race([checked, late]).finally(() => clearTimeout(timer));
}

async function checkToken(credentials: Credentials, token: string | undefined): Promise<Proof<Identity>> {
  if (token === undefined || token.length > maxLength)
    return {
      refusal: new ApiProblem(
        'unauthorized',
        `Authorization must be "Bearer <access token>", at most ${maxLength} characters`,
      ),
    };
  try {
    return { value: await readIdentity(credentials, await verifyToken(credentials, token)) };
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error;
    const isExpired = error instanceof errors.JWTExpired;
    return {
      refusal: new ApiProblem('unauthorized', `the access token ${isExpired ? 'has expired' : 'is not valid'}`),
    };
  }
}

/** Verifies a token. Its unverified issuer only selects the keys. */
function verifyToken({ tokens, openId }: Credentials, token: string): Promise<string> {
  const { iss } = decodeJwt(token);
  return openId && iss === openId.settings.issuer ? openId.verify(token) : tokens.verify(token);
}

async function checkKey(credentials: Credentials, text: string): Promise<NonNullable<Caller['key']>> {
  const key = isWellFormedKey(text) ? await credentials.keys.find(hashKey(text)) : undefined;
  if (!key) return { refusal: new ApiProblem('invalid_api_key', 'unknown API key') };
  if (key.revokedMs > 0) return { refusal: new ApiProblem('key_revoked', 'the API key was revoked') };
  return { value: { key, identity: await readIdentity(credentials, key.owner) } };
}

export async function readIdentity({ wallets, operators }: Credentials, id: string): Promise<Identity> {
  const linked = await wallets.of(id);
  return { id, wallets: linked, isOperator: await operators.includeAny(linked) };
}
