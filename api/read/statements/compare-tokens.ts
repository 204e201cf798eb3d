/** Compares the tokens of a statement with balances that their contracts return. */
import { NodeError, TransportError } from '#chain/errors.ts';
import { stateProblem } from '../accounts/account-reader.ts';
import type { NodeDeps } from '../reader-deps.ts';
import { readNodeBalances } from '../tokens/node-balances.ts';
import type { Statement, TokenStatement } from './statement.ts';

/** Maximum number of tokens to compare, which takes two calls per token. */
const maxTokens = 200;

type TokenRow = Omit<TokenStatement, 'openingAtNode' | 'closingAtNode' | 'difference'>;

/** Adds the balances that the contracts return at both ends. */
export async function compareTokens(
  { client }: Pick<NodeDeps, 'client'>,
  { fromBlock, toBlock }: Pick<Statement, 'fromBlock' | 'toBlock'>,
  rows: readonly TokenRow[],
): Promise<Pick<Statement, 'tokens' | 'tokensUnknownBecause'>> {
  const unknown = { openingAtNode: null, closingAtNode: null, difference: null };
  const withoutNode = (tokensUnknownBecause: string) => ({
    tokens: rows.map((row) => ({ ...row, ...unknown })),
    tokensUnknownBecause,
  });
  if (rows.length > maxTokens)
    return withoutNode(`the statement has ${rows.length} tokens; at most ${maxTokens} are compared with a node`);
  try {
    const before = await readNodeBalances(client, rows, fromBlock - 1);
    const after = await readNodeBalances(client, rows, toBlock);
    const tokens = rows.map((row, i) => {
      const [opening, closing] = [before[i] ?? null, after[i] ?? null];
      const change = BigInt(row.received) - BigInt(row.sent);
      const difference = opening === null || closing === null ? null : BigInt(closing) - BigInt(opening) - change;
      return { ...row, openingAtNode: opening, closingAtNode: closing, difference: difference?.toString() ?? null };
    });
    return { tokens, tokensUnknownBecause: undefined };
  } catch (error) {
    if (!(error instanceof TransportError || error instanceof NodeError)) throw error;
    return withoutNode(stateProblem(error, 'token balances at both ends of the statement').detail);
  }
}
