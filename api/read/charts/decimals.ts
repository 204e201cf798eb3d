/** Exact decimal texts from whole numbers: no figure passes through floating point. */

/** As `quotient`; null where the denominator is 0. */
export const ratio = (numerator: bigint, denominator: bigint, digits: number): string | null =>
  denominator === 0n ? null : quotient(numerator, denominator, digits);

/** numerator / denominator with up to `digits` decimals, cut off, trailing zeros taken away. */
export function quotient(numerator: bigint, denominator: bigint, digits: number): string {
  const scaled = (numerator * 10n ** BigInt(digits)) / denominator;
  const text = (scaled < 0n ? -scaled : scaled).toString().padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  const part = text.slice(text.length - digits).replace(/0+$/, '');
  return `${scaled < 0n ? '-' : ''}${whole}${part ? `.${part}` : ''}`;
}

/** Wei as FAT, all 18 decimals. */
export const fat = (wei: bigint): string => quotient(wei, 10n ** 18n, 18);
/** Wei as gwei, all 9 decimals. */
export const gwei = (wei: bigint): string => quotient(wei, 10n ** 9n, 9);
