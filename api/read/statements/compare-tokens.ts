import { NodeError, TransportError } from '#chain/errors.ts';
import { stateProblem } from '../accounts/account-reader.ts';
import type { NodeDeps } from '../reader-deps.ts';
import { type Holding, readNodeBalances } from '../tokens/node-balances.ts';
import type { Statement, TokenStatement } from './statement.ts';

/** Maximum tokens to compare: each takes at least two node calls. */
const maxTokens = 100;

export type TokenRow = Omit<TokenStatement, 'openingAtNode' | 'closingAtNode' | 'difference'>;

/** Balances at one block, or why they are unknown. */
interface Balances {
  readonly amounts: readonly (string | null)[];
  readonly reason: string | undefined;
}

/** Adds the balances that the contracts return before and after the range. */
export async function compareTokens(
  { client }: Pick<NodeDeps, 'client'>,
  { fromBlock, toBlock }: Pick<Statement, 'fromBlock' | 'toBlock'>,
  rows: readonly TokenRow[],
): Promise<Pick<Statement, 'tokens' | 'tokensUnknownBecause'>> {
  const compared = rows.slice(0, maxTokens);
  const [before, after] = await Promise.all(
    [fromBlock - 1, toBlock].map((block) => readContractBalances(client, compared, block)),
  );
  const isCut = rows.length > maxTokens;
  const reasons = [before, after].flatMap((end) => end?.reason ?? []);
  if (isCut) reasons.push(`the first ${maxTokens} of ${rows.length} tokens are compared with their contracts`);
  return {
    tokens: rows.map((row, i) => addBalances(row, pickAmount(before, i), pickAmount(after, i))),
    tokensUnknownBecause: reasons[0],
  };
}

/** Leaves out the balances from contracts, for formats that do not show them. */
export const withoutComparison = (rows: readonly TokenRow[]): Pick<Statement, 'tokens' | 'tokensUnknownBecause'> => ({
  tokens: rows.map((row) => addBalances(row, null, null)),
  tokensUnknownBecause: 'this format does not compare tokens with their contracts',
});

function addBalances(row: TokenRow, openingAtNode: string | null, closingAtNode: string | null): TokenStatement {
  const isKnown = openingAtNode !== null && closingAtNode !== null;
  const change = BigInt(row.received) - BigInt(row.sent);
  const difference = isKnown ? String(BigInt(closingAtNode) - BigInt(openingAtNode) - change) : null;
  return { ...row, openingAtNode, closingAtNode, difference };
}

const pickAmount = (balances: Balances | undefined, at: number) => balances?.amounts[at] ?? null;

/** Reads balances from contracts. If nodes fail, returns the reason instead of throwing. */
export async function readContractBalances(
  client: NodeDeps['client'],
  rows: readonly Holding[],
  block: number,
): Promise<Balances> {
  try {
    const { amounts, isComplete } = await readNodeBalances(client, rows, block);
    const reason = isComplete ? undefined : 'many contracts did not answer, so the remaining ones were not asked';
    return { amounts, reason };
  } catch (error) {
    if (!(error instanceof TransportError || error instanceof NodeError)) throw error;
    return { amounts: [], reason: stateProblem(error, `token balances after block ${block}`).detail };
  }
}
