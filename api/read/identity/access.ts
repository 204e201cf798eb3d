/**
 * Credential that a route requires. `credential`: access token or API key; `key`: API key that the reply describes.
 * @source docs/identity.md
 */
export type Access = 'public' | 'token' | 'credential' | 'operator' | 'admin' | 'key';

/** Caller of a route, known only from credentials. */
export interface Identity {
  /** `wallet:0x…`, or `oidc:<issuer>#<subject>` for an external provider. */
  readonly id: string;
  /** Wallets that are linked to the identity by a signature, lower case. */
  readonly wallets: readonly string[];
  readonly isOperator: boolean;
}
