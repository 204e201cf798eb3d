/** Reads names and standards of tokens. Caches them until the index changes. */
import { hexDigits } from '#chain/codec/hex.ts';
import { splitIntoChunks } from '#runtime/lists.ts';
import type { Database } from '#sql/client.ts';
import { type ChainState, rollupParameters } from '#sql/snapshot.ts';
import type { RowOf } from '#sql/statement-types.ts';
import { Cache } from '../../cache/cache.ts';

/** Token standards: 1 ERC-20, 2 ERC-721, 3 ERC-1155. `seen_codes` are the standards of the token's events. */
type KnownToken = RowOf<'standards_of_tokens'>;
export type Names = Pick<KnownToken, 'name' | 'symbol' | 'decimals'>;

/** Returns false without events of this standard, or with only such events if the contract reports another. */
export const countsAs = ({ standard_code, seen_codes }: KnownToken, code: number) =>
  seen_codes.includes(code) && (standard_code === code || seen_codes.length > 1);

/** Maximum number of tokens per statement, because they are sent in the URL. */
export const tokensAtOnce = 2_000;

export class TokenNames {
  readonly #known = new Cache<KnownToken>('token_names');
  readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  /** Omits tokens without transfers. @param tokens addresses, 40 hex digits each */
  async of(state: ChainState, tokens: readonly string[]): Promise<Map<string, KnownToken>> {
    const found = new Map<string, KnownToken>();
    for (const token of tokens) {
      const known = this.#known.get(token, state);
      if (known) found.set(token, known);
    }
    const unknown = tokens.filter((token) => !found.has(token));
    for (const some of splitIntoChunks(unknown, tokensAtOnce)) {
      const rows = await this.database.read('standards_of_tokens', { ...rollupParameters(state), tokens: some });
      for (const row of rows) {
        found.set(hexDigits(row.token_hex), row);
        this.#known.set(hexDigits(row.token_hex), state, row);
      }
    }
    return found;
  }
}
