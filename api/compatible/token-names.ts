/** Names of tokens for lists of their transfers. */
import { hexDigits } from '#chain/codec/hex.ts';
import { getStatement } from '#sql/statements.ts';
import type { StoreDeps } from '../read/reader-deps.ts';

export interface TokenName {
  readonly token: string;
  readonly name: string | null;
  readonly symbol: string | null;
  readonly decimals: number | null;
}

/** By address; tokens that were not asked yet are left out. */
export async function readTokenNames(
  { database, statements }: StoreDeps,
  tokens: readonly string[],
): Promise<Map<string, TokenName>> {
  const addresses = [...new Set(tokens)].map(hexDigits);
  const rows = await database.read<TokenName>(getStatement(statements, 'token_names'), { addresses });
  return new Map(rows.map((row) => [row.token, row]));
}
