/** A credited deposit in the store of the monitor. */
export interface Credit {
  readonly txHash: string;
  readonly to: string;
  /** Amount, wei. */
  readonly value: string;
  readonly blockNumber: number;
  readonly blockHash: string;
}

/** Start of the keys of all credits of a chain. */
export const creditPrefix = (chainId: number): string => `credit:${chainId}:`;
