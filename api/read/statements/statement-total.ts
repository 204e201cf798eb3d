import { groupBy } from '#runtime/lists.ts';
import type { CoinStatement, MovementSum, StatementTotal, TokenStatement, TokenTotal } from './statement.ts';

/** Returns the sum; null if a part is unknown. */
const addUnlessUnknown = (parts: readonly (bigint | null)[]): bigint | null =>
  parts.reduce((sum, part) => (sum === null || part === null ? null : sum + part), 0n);

const addTexts = (parts: readonly (string | null)[]): string | null =>
  addUnlessUnknown(parts.map((part) => (part === null ? null : BigInt(part))))?.toString() ?? null;

const addAmounts = (parts: readonly (bigint | string)[]): bigint =>
  parts.reduce<bigint>((sum, part) => sum + BigInt(part), 0n);

export function addStatements(coin: readonly CoinStatement[], tokens: readonly TokenStatement[]): StatementTotal {
  const sums = groupBy(
    coin.flatMap((one) => one.sums),
    ({ kind, direction }) => `${kind} ${direction}`,
  );
  const rows = groupBy(tokens, ({ token, standard, tokenId }) => `${token} ${standard} ${tokenId}`);
  return {
    coin: {
      opening: addUnlessUnknown(coin.map(({ opening }) => opening)),
      closing: addUnlessUnknown(coin.map(({ closing }) => closing)),
      sums: [...sums.values()].flatMap(addSums),
      change: addAmounts(coin.map(({ change }) => change)),
      difference: addUnlessUnknown(coin.map(({ difference }) => difference)),
    },
    tokens: [...rows.values()].flatMap(addTokens),
  };
}

function addSums(sums: readonly MovementSum[]): MovementSum[] {
  const add = (pick: (sum: MovementSum) => bigint) => addAmounts(sums.map(pick));
  return sums.slice(0, 1).map(({ kind, direction }) => ({
    ...{ kind, direction, movements: sums.reduce((count, { movements }) => count + movements, 0) },
    ...{ amount: add(({ amount }) => amount), within: add(({ within }) => within) },
  }));
}

function addTokens(rows: readonly TokenStatement[]): TokenTotal[] {
  const add = (pick: (row: TokenStatement) => string) => String(addAmounts(rows.map(pick)));
  const addKnown = (pick: (row: TokenStatement) => string | null) => addTexts(rows.map(pick));
  return rows.slice(0, 1).map(({ token, standard, tokenId }) => ({
    ...{ token, standard, tokenId },
    opening: addKnown(({ opening }) => opening),
    received: add(({ received }) => received),
    sent: add(({ sent }) => sent),
    within: add(({ within }) => within),
    closing: addKnown(({ closing }) => closing),
    movements: rows.reduce((count, { movements }) => count + movements, 0),
    openingAtNode: addKnown(({ openingAtNode }) => openingAtNode),
    closingAtNode: addKnown(({ closingAtNode }) => closingAtNode),
    difference: addKnown(({ difference }) => difference),
  }));
}
