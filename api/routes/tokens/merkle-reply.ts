/** Replies with the Merkle tree of all holders of a token, or of all accounts with coins. */
import { z } from 'zod';
import { OtherReply } from '../../http/reply.ts';
import type { HoldersAt } from '../../read/tokens/balances-at.ts';
import { leafEncoding, MerkleTree } from '../../read/tokens/merkle-tree.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { Address, HexAddress } from '../../terms/primitives.ts';
import { maxRows } from './token-snapshot.ts';

export const merkleQuery = {
  account: Address.optional().meta({ description: 'Account for which to return a proof' }),
  format: z.enum(['json', 'dump'], 'must be json or dump').default('json').meta({ description: 'Format of the reply' }),
};

export const merkleFields = {
  root: z.string().meta({ description: 'Root of the tree, 0x and 64 hex digits' }),
  leafEncoding: z.array(z.string()).meta({ description: 'ABI types of a leaf' }),
  account: z
    .strictObject({
      address: HexAddress,
      balance: z.string().meta({
        description: 'Balance in wei or the smallest unit of the token; for NFTs the number of tokens',
      }),
      proof: z.array(z.string()),
    })
    .nullable()
    .meta({ description: 'Balance and proof of the requested account; null if none was requested' }),
};

/**
 * @param held what the accounts hold and when, for errors
 * @throws ApiProblem bad_query if there are too many holders; not_found if there are none
 */
export async function makeTree({ rows, holders }: HoldersAt, held: string): Promise<MerkleTree> {
  if (rows.length > maxRows)
    throw new ApiProblem('bad_query', `${holders} accounts hold ${held}, a Merkle tree has at most ${maxRows}`);
  if (rows.length === 0) throw new ApiProblem('not_found', `no account holds ${held}`);
  return MerkleTree.of(rows);
}

/** @throws ApiProblem not_found if the tree lacks the account */
export function describeTree(tree: MerkleTree, account: string | undefined, held: string) {
  const proved = account === undefined ? undefined : tree.prove(account);
  if (account !== undefined && !proved) throw new ApiProblem('not_found', `${account} does not hold ${held}`);
  return {
    root: tree.root,
    leafEncoding: [...leafEncoding],
    account: account !== undefined && proved ? { address: account, ...proved } : null,
  };
}

/**
 * Returns the tree for StandardMerkleTree.load(). Headers contain its block, because the format has no field for it.
 */
export function dumpTree(tree: MerkleTree, block: number, headers: Readonly<Record<string, string>> = {}): OtherReply {
  return new OtherReply('application/json', JSON.stringify(tree.dump()), {
    'X-As-Of-Block': String(block),
    ...headers,
  });
}
