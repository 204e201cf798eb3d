/** Computes the tokens that accounts held after a block from their transfers. */
import { hexDigits } from '#chain/codec/hex.ts';
import { type ChainState, rollupParameters } from '#sql/snapshot.ts';
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

interface TokensAsked {
  readonly block: number;
  readonly standard?: string | undefined;
  readonly tokens?: readonly string[] | undefined;
}

/** Maximum number of rows in a reply. */
export const maxTokens = 10_000;

/**
 * Returns one row per account, token, standard and token id, sorted by account, token and id.
 * @param tokens default: all
 * @throws ApiProblem bad_query above `maxTokens` rows
 */
export async function readTokensAt(
  { database }: StoreDeps,
  state: ChainState,
  accounts: readonly string[],
  { block, standard = '', tokens = [] }: TokensAsked,
): Promise<HeldToken[]> {
  const rows = await database.read('tokens_at', {
    ...rollupParameters(state),
    accounts: accounts.map(hexDigits),
    ...{ to_block: block, standard, tokens: tokens.map(hexDigits), limit: maxTokens + 1 },
  });
  if (rows.length > maxTokens)
    throw new ApiProblem(
      'bad_query',
      `the accounts hold more than ${maxTokens} tokens: request fewer accounts, or fewer tokens`,
    );
  return rows.map((row) => ({
    ...{ account: `0x${row.account_hex}`, token: `0x${row.token_hex}`, standard: row.standard_name, tokenId: row.id },
    amount: row.amount,
  }));
}
