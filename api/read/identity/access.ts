/** Who may ask what. @source specification 5 */

/**
 * What a route asks of a caller. `token`: an access token; `credential`: an access token or an API key; `operator`: a
 * credential of an operator; `admin`: the administrator's token; `key`: the route is about the API key itself.
 */
export type Access = 'public' | 'token' | 'credential' | 'operator' | 'admin' | 'key';

/** Who asks, by proof of keys alone: nothing in a query, a body or an IP address adds to it. */
export interface Identity {
  /** `wallet:0x…` of one that signed in by itself, `oidc:<issuer>#<subject>` of an external provider's. */
  readonly id: string;
  /** Linked wallets, lower case; each proved by its own signature. */
  readonly wallets: readonly string[];
  /** One of the wallets is on the operator's list now. */
  readonly isOperator: boolean;
}
