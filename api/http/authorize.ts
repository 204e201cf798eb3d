import { createHash, timingSafeEqual } from 'node:crypto';
import type { Access, Identity } from '../read/identity/access.ts';
import { type Caller, isUnchecked, type Proof, type ProvedKey } from '../read/identity/caller.ts';
import { ApiProblem } from '../terms/errors.ts';

interface GateInput {
  readonly access: Access;
  readonly caller: Caller;
  /** The route ignores an invalid API key. */
  readonly toleratesAnyKey: boolean;
  readonly adminToken: { readonly expected: string | undefined; readonly given: unknown };
}

interface Authority {
  readonly identity: Identity | undefined;
  readonly key: ProvedKey | undefined;
  /** On a public path: why credentials cannot be checked at present. */
  readonly unchecked: ApiProblem | undefined;
}

const noAuthority: Authority = { identity: undefined, key: undefined, unchecked: undefined };

/** @throws ApiProblem if a required credential is missing or invalid */
export function authorize({ access, caller, toleratesAnyKey, adminToken }: GateInput): Authority {
  const { token, key } = caller;
  switch (access) {
    case 'key':
      return { ...noAuthority, key: proved(key, 'the API key is missing: send it in the X-API-Key header') };
    case 'public':
    case 'admin':
      if (key?.refusal && !toleratesAnyKey && !isUnchecked(key)) throw key.refusal;
      if (access === 'admin') requireAdmin(adminToken.expected, adminToken.given);
      return { ...noAuthority, identity: givenIdentity(caller), unchecked: [token, key].find(isUnchecked)?.refusal };
    case 'token':
      return {
        ...noAuthority,
        identity: proved(token, 'the access token is missing: send Authorization: Bearer <access token>'),
      };
    case 'credential':
      return { ...noAuthority, identity: provedIdentity(caller) };
    case 'operator':
      return { ...noAuthority, identity: operatorIdentity(caller) };
  }
}

function givenIdentity({ token, key }: Caller): Identity | undefined {
  if (token && !token.refusal) return token.value;
  return key && !key.refusal ? key.value.identity : undefined;
}

function provedIdentity({ token, key }: Caller): Identity {
  const proof = token ?? (key?.refusal ? key : key && { value: key.value.identity });
  return proved(
    proof,
    'credentials are missing: send Authorization: Bearer <access token>, or an API key in X-API-Key',
  );
}

function operatorIdentity(caller: Caller): Identity {
  const identity = provedIdentity(caller);
  if (!identity.isOperator)
    throw new ApiProblem(
      'operator_required',
      'only operators can use this endpoint: send the credentials of an operator',
    );
  return identity;
}

function proved<T>(proof: Proof<T> | undefined, missing: string): T {
  if (!proof) throw new ApiProblem('unauthorized', missing);
  if (proof.refusal) throw proof.refusal;
  return proof.value;
}

function requireAdmin(expected: string | undefined, given: unknown): void {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const isSame =
    typeof given === 'string' && expected !== undefined && timingSafeEqual(digest(given), digest(expected));
  if (!isSame)
    throw new ApiProblem(
      'admin_required',
      'the administrator token is missing or wrong: send it in the X-Admin-Token header',
    );
}
