import type { NftSettings } from '../nft/resolve-uri.ts';

export interface JobSettings {
  /** Pause between steps of the background jobs, ms; default 3 s. */
  readonly jobsEveryMs?: number;
  /**
   * A checkpoint of all balances follows each group of `blocks` blocks in which the total of transactions passes a
   * multiple of a step: `transactions`, doubled until at least twice the number of accounts. Default: 1,000,000 and
   * 2,000.
   */
  readonly checkpoints?: { readonly transactions: number; readonly blocks: number };
  readonly namedAccounts?: readonly string[];
  readonly nativeCoin?: {
    readonly symbol: string;
    readonly name: string;
    /** Address of the token that wraps the coin; undefined: unknown. */
    readonly wrapped?: string | undefined;
  };
  /** Undefined: metadata of NFTs is not fetched. */
  readonly nft?: NftSettings | undefined;
}
