/** Which predicates of a query are about shapes, and whether a shape fulfils them. */
import type { ParsedQuery } from './parse/predicates.ts';
import type { Shape } from './shape.ts';

/** Token, direction, status and class where they are rules; kinds, and what is a hint, only rank. */
export function matchesShape({ direction, status, tokens, tokenClass }: ParsedQuery, shape: Shape): boolean {
  const symbols = [shape.tokenSymbol.toUpperCase(), shape.secondTokenSymbol.toUpperCase()];
  return (
    (!direction?.isHard || direction.value === shape.direction) &&
    (!status?.isHard || status.value === shape.status) &&
    tokens.every(({ value, isHard }) => !isHard || symbols.includes(value)) &&
    (!tokenClass?.isHard || [shape.tokenClass, shape.secondTokenClass].includes(tokenClass.value))
  );
}
