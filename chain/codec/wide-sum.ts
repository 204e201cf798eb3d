import { maxUint256 } from './hex.ts';

/**
 * Returns the exact sum of uint256 amounts. ClickHouse returns two numbers, because the sum may exceed uint256.
 * @param low sum modulo 2^256, decimal; may be negative
 * @param high sum of the amounts divided by 2^128, decimal
 * @source sql/columns/amount_of_parts.sql
 */
export function combineSumParts(low: string, high: string): bigint {
  const above = BigInt(high) << 128n;
  return above + BigInt.asIntN(256, BigInt(low) - above);
}

/** Limits a balance to 0 … maxUint256, because a contract may log false transfers. */
export const clampBalance = (sum: bigint) => (sum < 0n ? 0n : sum > maxUint256 ? maxUint256 : sum);
