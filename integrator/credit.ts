import { known } from '#runtime/known.ts';

/** A credited deposit in the store of the monitor. */
export interface Credit {
  readonly txHash: string;
  readonly to: string;
  /** Amount, wei. */
  readonly value: string;
  readonly blockNumber: number;
  readonly blockHash: string;
}

interface Verdict {
  readonly blockHash: string | null;
  readonly evidence: { readonly index: { readonly blockNumber: number | null } };
}

/** Returns the block of a creditable deposit. @param listed its block when it was listed: a reorg may have moved it since */
export const readPlace = (
  { blockHash, evidence }: Verdict,
  listed: number,
): Pick<Credit, 'blockNumber' | 'blockHash'> => ({
  blockNumber: evidence.index.blockNumber ?? listed,
  blockHash: known(blockHash, 'the block of a creditable deposit'),
});

type Kind = 'credit' | 'candidate' | 'rejected' | 'recheck';

/** Returns the start of the keys of all entries of a kind and chain. */
export const entryPrefix = (kind: Kind, chainId: number): string => `${kind}:${chainId}:`;
