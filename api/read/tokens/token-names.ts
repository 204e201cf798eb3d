import { hexDigits } from '#chain/codec/hex.ts';
import { decodeText, decodeUint } from '#chain/codec/token-abi.ts';
import { askToken } from '#chain/rpc/ask-token.ts';
import type { ChainState } from '#sql/snapshot.ts';
import type { RowOf } from '#sql/statement-types.ts';
import { anywhere } from '../../cache/cache.ts';
import { KeyedReads } from '../../cache/keyed-reads.ts';
import { perDatabase } from '../../cache/per-database.ts';
import { ApiProblem } from '../../terms/errors.ts';
import type { NodeDeps, StoreDeps } from '../reader-deps.ts';

export type TokenName = RowOf<'token_names'>;

/** Maximum contracts that one request calls. */
const maxAsked = 20;

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

/** Reads names of tokens. Omits tokens that the pipeline has not queried yet. */
export const readTokenNames = ({ database }: StoreDeps, tokens: readonly string[]): Promise<Map<string, TokenName>> =>
  getNameCache(database).of(tokens, anywhere);

/**
 * As readTokenNames, but calls contracts that the pipeline has not queried yet. Without decimals, an amount would look
 * like a whole number.
 * @param charge counts the cost of the calls
 * @throws ApiProblem indexing if more than 20 contracts must be called; node_unavailable if no node answers
 */
export async function readAllTokenNames(
  deps: StoreDeps & Pick<NodeDeps, 'client'>,
  { head }: Pick<ChainState, 'head'>,
  tokens: readonly string[],
  charge: (cost: number) => Promise<void>,
): Promise<Map<string, TokenName>> {
  const names = await readTokenNames(deps, tokens);
  const missing = [...new Set(tokens)].filter((token) => !names.has(token));
  if (missing.length > maxAsked)
    throw new ApiProblem('indexing', `the decimals of ${missing.length} tokens are not read yet: try again later`);
  if (missing.length > 0) await charge(missing.length);
  const asked = await Promise.all(missing.map((token) => askName(deps, token, head)));
  for (const name of asked) names.set(name.token, name);
  return names;
}

async function askName({ client }: Pick<NodeDeps, 'client'>, token: string, block: number): Promise<TokenName> {
  const replies = await askToken(client, { token, block }, ['name', 'symbol', 'decimals']).catch(() => {
    throw new ApiProblem(
      'node_unavailable',
      `the decimals of the token ${token} are not read yet, and no node answers`,
    );
  });
  const decimals = decodeUint(replies.decimals, 255n);
  return {
    token,
    name: decodeText(replies.name),
    symbol: decodeText(replies.symbol),
    decimals: decimals === null ? null : Number(decimals),
  };
}
