import { hexDigits } from '#chain/codec/hex.ts';
import type { RowOf } from '#sql/statement-types.ts';
import { anywhere, Cache } from '../../cache/cache.ts';
import { perDatabase } from '../../cache/per-database.ts';
import type { StoreDeps } from '../reader-deps.ts';

export type TokenName = RowOf<'token_names'>;

const knownNames = perDatabase(() => new Cache<TokenName>('found_token_names'));

/** Omits tokens whose contract the pipeline has not queried yet. */
export async function readTokenNames(
  { database }: StoreDeps,
  tokens: readonly string[],
): Promise<Map<string, TokenName>> {
  const known = knownNames(database);
  const found = new Map<string, TokenName>();
  for (const token of tokens) {
    const name = known.get(token, anywhere);
    if (name) found.set(token, name);
  }
  const missing = [...new Set(tokens)].filter((token) => !found.has(token));
  if (missing.length === 0) return found;
  for (const row of await database.read('token_names', { addresses: missing.map(hexDigits) })) {
    found.set(row.token, row);
    known.set(row.token, anywhere, row);
  }
  return found;
}
