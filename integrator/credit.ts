/** A credited deposit in the store of the monitor. */
export interface Credit {
  readonly txHash: string;
  readonly to: string;
  /** Amount, wei. */
  readonly value: string;
  readonly blockNumber: number;
  readonly blockHash: string;
}

type Kind = 'credit' | 'candidate' | 'rejected' | 'recheck';

/** Returns the start of the keys of all entries of a kind and chain. */
export const entryPrefix = (kind: Kind, chainId: number): string => `${kind}:${chainId}:`;
