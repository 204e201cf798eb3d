/**
 * Credential that a route requires. `credential`: access token or API key; `key`: the API key that the route reports
 * on.
 * @source docs/identity.md
 */
export type Access = 'public' | 'token' | 'credential' | 'operator' | 'admin' | 'key';

/** Caller of a route, identified only by credentials, never by query, body or IP address. */
export interface Identity {
  /** `wallet:0x…`, or `oidc:<issuer>#<subject>` for an external provider. */
  readonly id: string;
  /** Wallets that proved by a signature that they belong to the identity, lower case. */
  readonly wallets: readonly string[];
  readonly isOperator: boolean;
}
