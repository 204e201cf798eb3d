/** Replies with the Merkle tree of all holders of a token, or of all accounts with coins. */
import { z } from 'zod';
import { OtherReply } from '../../http/reply.ts';
import type { HoldersAt } from '../../read/tokens/balances-at.ts';
import { leafEncoding, MerkleTree } from '../../read/tokens/merkle-tree.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { Address, HexAddress } from '../../terms/primitives.ts';
import { assertFits, Balance } from './token-snapshot.ts';

export const merkleQuery = {
  account: Address.optional().meta({ description: 'Account for which to return a proof' }),
  format: z.enum(['json', 'dump'], 'must be json or dump').default('json').meta({ description: 'Format of the reply' }),
};

export const merkleFields = {
  root: z.string().meta({ description: 'Root of the tree, 0x and 64 hex digits' }),
  leafEncoding: z.array(z.string()).meta({ description: 'ABI types of a leaf' }),
  account: z
    .strictObject({ address: HexAddress, balance: Balance, proof: z.array(z.string()) })
    .nullable()
    .meta({ description: 'Balance and proof of the requested account; null if none was requested' }),
};

interface Asked {
  readonly account?: string | undefined;
  readonly format: 'json' | 'dump';
}

/**
 * Returns the root and the proof of an account, or the complete tree for StandardMerkleTree.load().
 * @param holders all holders of one token, or all accounts with coins
 * @param of says in errors what they hold and when, such as "coins after block 100"
 * @throws ApiProblem bad_query if there are too many holders; not_found if there is none, or the account is none of them
 */
export async function merkleReply(holders: HoldersAt, { account, format }: Asked, of: string) {
  assertFits(holders);
  if (holders.rows.length === 0) throw new ApiProblem('not_found', `no account holds ${of}`);
  const tree = await MerkleTree.of(holders.rows);
  if (format === 'dump') return new OtherReply('application/json', JSON.stringify(tree.dump()));
  const proved = account === undefined ? undefined : tree.prove(account);
  if (account !== undefined && !proved) throw new ApiProblem('not_found', `${account} does not hold ${of}`);
  return {
    root: tree.root,
    leafEncoding: [...leafEncoding],
    account: account !== undefined && proved ? { address: account, ...proved } : null,
  };
}
