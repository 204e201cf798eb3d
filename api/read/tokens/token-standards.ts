/** Names and standards of tokens, cached until the index changes. */
import { hexDigits } from '#chain/codec/hex.ts';
import { splitIntoChunks } from '#runtime/lists.ts';
import type { Database } from '#sql/client.ts';
import { type ChainState, rollupParameters } from '#sql/snapshot.ts';
import type { RowOf } from '#sql/statement-types.ts';
import { KeyedReads } from '../../cache/keyed-reads.ts';

/** Token standards: 1 ERC-20, 2 ERC-721, 3 ERC-1155. `seen_codes`: standards of the token's events. */
type KnownToken = RowOf<'standards_of_tokens'>;
export type Names = Pick<KnownToken, 'name' | 'symbol' | 'decimals'>;

/**
 * Returns whether a token counts as one of the standard `code`: it has events of this standard, and either reports the
 * standard or has events of several.
 */
export const countsAs = ({ standard_code, seen_codes }: KnownToken, code: number) =>
  seen_codes.includes(code) && (standard_code === code || seen_codes.length > 1);

/** Maximum tokens per statement, because they are in the URL. */
export const tokensAtOnce = 2_000;

export class TokenStandards {
  readonly #known: KeyedReads<KnownToken, ChainState>;

  constructor(database: Database) {
    this.#known = new KeyedReads(
      'token_names',
      async (tokens, state) => {
        const found = new Map<string, KnownToken>();
        for (const some of splitIntoChunks(tokens, tokensAtOnce)) {
          const rows = await database.read('standards_of_tokens', { ...rollupParameters(state), tokens: some });
          for (const row of rows) found.set(hexDigits(row.token_hex), row);
        }
        return found;
      },
      { cachesAbsent: false },
    );
  }

  /** Omits tokens without transfers. @param tokens 40 hex digits each */
  of(state: ChainState, tokens: readonly string[]): Promise<Map<string, KnownToken>> {
    return this.#known.of(tokens, state);
  }
}
