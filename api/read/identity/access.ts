/** Access levels of routes and identities of callers. @source docs/identity.md */

/**
 * `token`: access token; `credential`: access token or API key; `operator`: credential of an operator; `admin`:
 * administrator's token; `key`: the API key that the route reports on.
 */
export type Access = 'public' | 'token' | 'credential' | 'operator' | 'admin' | 'key';

/** Identified only by credentials, never by query, body or IP address. */
export interface Identity {
  /** `wallet:0x…`, or `oidc:<issuer>#<subject>` for an external provider. */
  readonly id: string;
  /** Lower case, each proven by its own signature. */
  readonly wallets: readonly string[];
  readonly isOperator: boolean;
}
