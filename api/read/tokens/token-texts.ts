import { hexDigits } from '#chain/codec/hex.ts';
import type { RowOf } from '#sql/statement-types.ts';
import { anywhere } from '../../cache/cache.ts';
import { KeyedReads } from '../../cache/keyed-reads.ts';
import { perDatabase } from '../../cache/per-database.ts';
import type { StoreDeps } from '../reader-deps.ts';

export type TokenName = RowOf<'token_names'>;

const getNameCache = perDatabase(
  (database) =>
    new KeyedReads<TokenName>(
      'found_token_names',
      async (tokens) => {
        const rows = await database.read('token_names', { addresses: tokens.map(hexDigits) });
        return new Map(rows.map((row) => [row.token, row]));
      },
      { cachesAbsent: false },
    ),
);

/** Omits tokens whose contract the pipeline has not queried yet. */
export const readTokenNames = ({ database }: StoreDeps, tokens: readonly string[]): Promise<Map<string, TokenName>> =>
  getNameCache(database).of(tokens, anywhere);
