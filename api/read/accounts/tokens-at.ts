/** Computes the tokens that accounts held after a block, from all transfers of the accounts. */
import { hexDigits } from '#chain/codec/hex.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import { ApiProblem } from '../../terms/errors.ts';
import type { StoreDeps } from '../reader-deps.ts';

export interface HeldToken {
  readonly account: string;
  readonly token: string;
  readonly standard: string;
  readonly tokenId: string;
  /** Smallest unit. */
  readonly amount: string;
}

const maxTokens = 10_000;

/**
 * Returns one row per account, token, standard and token id that the account held, sorted by account, token and id.
 * @throws ApiProblem bad_query above `maxTokens` tokens
 */
export async function readTokensAt(
  { database }: StoreDeps,
  state: ChainState,
  accounts: readonly string[],
  block: number,
): Promise<HeldToken[]> {
  const rows = await database.read('token_statement', {
    ...snapshotParameters(state),
    accounts: accounts.map(hexDigits),
    from_block: block + 1, // the next block opens with the balance after `block`
    to_block: block,
    limit: maxTokens + 1,
  });
  if (rows.length > maxTokens)
    throw new ApiProblem('bad_query', `the accounts hold more than ${maxTokens} tokens: request fewer accounts`);
  return rows.map((row) => ({
    ...{ account: `0x${row.account_hex}`, token: `0x${row.token_hex}`, standard: row.standard_name, tokenId: row.id },
    amount: row.closing,
  }));
}
