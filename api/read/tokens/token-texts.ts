import { hexDigits } from '#chain/codec/hex.ts';
import type { RowOf } from '#sql/statement-types.ts';
import type { StoreDeps } from '../reader-deps.ts';

export type TokenName = RowOf<'token_names'>;

/** Omits tokens whose contract the pipeline has not queried yet. */
export async function readTokenNames(
  { database }: StoreDeps,
  tokens: readonly string[],
): Promise<Map<string, TokenName>> {
  if (tokens.length === 0) return new Map();
  const addresses = [...new Set(tokens)].map(hexDigits);
  const rows = await database.read('token_names', { addresses });
  return new Map(rows.map((row) => [row.token, row]));
}
