/** Sums of uint256 amounts, which the engine keeps in two parts: no total overflows unseen. */
import { maxUint256 } from './hex.ts';

/**
 * The exact sum.
 * @param low sum modulo 2^256, decimal; may carry a sign
 * @param high sum of the amounts divided by 2^128, decimal
 * @source sql/columns/amount_of_parts.sql
 */
export function sumOfParts(low: string, high: string): bigint {
  const above = BigInt(high) << 128n;
  return above + BigInt.asIntN(256, BigInt(low) - above);
}

/** What a balance that sums up to this is taken for: no contract can hold less than nothing, or more than a uint256. */
export const amountOfSum = (sum: bigint) => (sum < 0n ? 0n : sum > maxUint256 ? maxUint256 : sum);
