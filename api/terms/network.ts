/** For adding the chain to a wallet. @source EIP-3085 */
export interface NetworkSettings {
  readonly chainName: string;
  readonly nativeCurrency: { readonly name: string; readonly symbol: string; readonly decimals: number };
  readonly rpcUrls: readonly [string, ...string[]];
  readonly explorerUrls: readonly [string, ...string[]];
}

export interface NetworkDeps {
  readonly settings: { readonly chainId: number; readonly network: NetworkSettings };
}

/** URLs for the footer of explorer pages. */
export interface FooterLinks {
  readonly source: string | undefined;
  readonly terms: string | undefined;
}
