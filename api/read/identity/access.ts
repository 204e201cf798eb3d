/** `credential`: access token or API key. `key`: an API key, which the reply describes. @source docs/identity.md */
export type Access = 'public' | 'token' | 'credential' | 'operator' | 'admin' | 'key';

export interface Identity {
  /** `wallet:0x…`, or `oidc:<issuer>#<subject>` for an external provider. */
  readonly id: string;
  /** Linked by signature, lower case. */
  readonly wallets: readonly string[];
  readonly isOperator: boolean;
}
