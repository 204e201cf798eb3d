import { known } from '#runtime/known.ts';

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

/**
 * Returns the block of a creditable deposit. @param listed its block in the list of transfers; a reorg may have moved
 * it since
 */
export const readPlace = (
  { blockHash, evidence }: Verdict,
  listed: number,
): Pick<Credit, 'blockNumber' | 'blockHash'> => ({
  blockNumber: evidence.index.blockNumber ?? listed,
  blockHash: known(blockHash, 'the block of a creditable deposit'),
});

type Kind = 'credit' | 'candidate' | 'rejected' | 'recheck';

export const entryPrefix = (kind: Kind, chainId: number): string => `${kind}:${chainId}:`;
