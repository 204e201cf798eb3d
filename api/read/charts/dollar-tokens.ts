import { ApiProblem } from '../../terms/errors.ts';

/** Converts an amount of a dollar token to dollars times 10^18. @param decimals at most 18 */
export const toDollars = (amount: bigint, decimals: number): bigint => amount * 10n ** BigInt(18 - decimals);

/** @throws ApiProblem indexing if the number of decimals is unknown or above 18 */
export function requireDollarDecimals(kind: string, address: string, decimals: number | null): number {
  if (decimals !== null && decimals <= 18) return decimals;
  throw new ApiProblem('indexing', `the number of decimals of the ${kind} ${address} is not known yet, or above 18`);
}
