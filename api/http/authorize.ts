/** The one gate before every handler: does what the caller proved suffice for the route? */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Access, Identity } from '../read/identity/access.ts';
import type { Caller, Proof, ProvedKey } from '../read/identity/caller.ts';
import { ApiProblem } from '../terms/errors.ts';

interface GateInput {
  readonly access: Access;
  readonly caller: Caller;
  /** True of interfaces where a key that is not ours is no error. @source conventions C10 */
  readonly toleratesAnyKey: boolean;
  readonly adminToken: { readonly expected: string | undefined; readonly given: unknown };
}

/** What was proved, as far as the route asks for it. */
interface Authority {
  readonly identity: Identity | undefined;
  readonly key: ProvedKey | undefined;
}

const nobody: Authority = { identity: undefined, key: undefined };

/** @throws ApiProblem that says what is missing */
export function authorize({ access, caller, toleratesAnyKey, adminToken }: GateInput): Authority {
  const { token, key } = caller;
  switch (access) {
    case 'key':
      return { ...nobody, key: proved(key, 'send the key as X-API-Key') };
    case 'public':
    case 'admin':
      if (key?.fault && !toleratesAnyKey) throw key.fault;
      if (access === 'admin') requireAdmin(adminToken.expected, adminToken.given);
      return { ...nobody, identity: givenIdentity(caller) };
    case 'token':
      return { ...nobody, identity: proved(token, 'send Authorization: Bearer <access token>') };
    case 'credential':
      return { ...nobody, identity: provedIdentity(caller) };
    case 'operator':
      return { ...nobody, identity: operatorIdentity(caller) };
  }
}

/** Nobody has to say who they are; what is registered by a key belongs to its identity. */
function givenIdentity({ token, key }: Caller): Identity | undefined {
  if (token && !token.fault) return token.value;
  return key && !key.fault ? key.value.identity : undefined;
}

function provedIdentity({ token, key }: Caller): Identity {
  const proof = token ?? (key?.fault ? key : key && { value: key.value.identity });
  return proved(proof, 'send Authorization: Bearer <access token>, or X-API-Key');
}

function operatorIdentity(caller: Caller): Identity {
  const identity = provedIdentity(caller);
  if (!identity.isOperator) throw new ApiProblem('operator_required', 'this is for wallets on the operator’s list');
  return identity;
}

function proved<T>(proof: Proof<T> | undefined, missing: string): T {
  if (!proof) throw new ApiProblem('unauthorized', missing);
  if (proof.fault) throw proof.fault;
  return proof.value;
}

/** Compares in constant time. @throws ApiProblem admin_required */
function requireAdmin(expected: string | undefined, given: unknown): void {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const isSame =
    typeof given === 'string' && expected !== undefined && timingSafeEqual(digest(given), digest(expected));
  if (!isSame) throw new ApiProblem('admin_required', 'send the administrator’s token as X-Admin-Token');
}
