/**
 * Who may call a route. `token`: holders of an access token; `credential`: of an access token or API key; `operator`:
 * operators; `admin`: holders of the administrator's token; `key`: holders of the API key that the route reports on.
 * @source docs/identity.md
 */
export type Access = 'public' | 'token' | 'credential' | 'operator' | 'admin' | 'key';

/** Caller of a route, identified only by credentials, never by query, body or IP address. */
export interface Identity {
  /** `wallet:0x…`, or `oidc:<issuer>#<subject>` for an external provider. */
  readonly id: string;
  /** Wallets of the identity, lower case. A signature of each wallet was checked. */
  readonly wallets: readonly string[];
  readonly isOperator: boolean;
}
