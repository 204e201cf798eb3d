/** The engine returns sums of uint256 in two parts, because they may exceed uint256. */
import { maxUint256 } from './hex.ts';

/**
 * Returns the exact sum.
 * @param low sum modulo 2^256, decimal; may be negative
 * @param high sum of the amounts divided by 2^128, decimal
 * @source sql/columns/amount_of_parts.sql
 */
export function combineSumParts(low: string, high: string): bigint {
  const above = BigInt(high) << 128n;
  return above + BigInt.asIntN(256, BigInt(low) - above);
}

/** Logs of a contract may add up to anything; clamps to 0 … maxUint256. */
export const clampBalance = (sum: bigint) => (sum < 0n ? 0n : sum > maxUint256 ? maxUint256 : sum);
