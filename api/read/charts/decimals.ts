export const ratio = (numerator: bigint, denominator: bigint, digits: number): string | null =>
  denominator === 0n ? null : quotient(numerator, denominator, digits);

/** Returns a decimal truncated to `digits`, without trailing zeros. */
export function quotient(numerator: bigint, denominator: bigint, digits: number): string {
  const scaled = (numerator * 10n ** BigInt(digits)) / denominator;
  const text = (scaled < 0n ? -scaled : scaled).toString().padStart(digits + 1, '0');
  const integer = text.slice(0, text.length - digits);
  const fraction = text.slice(text.length - digits).replace(/0+$/, '');
  return `${scaled < 0n ? '-' : ''}${integer}${fraction ? `.${fraction}` : ''}`;
}

export const fat = (wei: bigint): string => quotient(wei, 10n ** 18n, 18);
export const gwei = (wei: bigint): string => quotient(wei, 10n ** 9n, 9);

/** Shifts the decimal point to the left, for example from wei to gwei. */
export function shiftLeft(decimal: string, digits: number): string {
  const [integer = '', fraction = ''] = decimal.split('.');
  const all = integer.padStart(digits + 1, '0');
  const shifted = `${all.slice(0, -digits)}.${all.slice(-digits)}${fraction}`;
  return shifted.replace(/\.?0+$/, '');
}

/** Returns the unit on pages, and a function that converts to it. @param coin symbol of the native coin */
export function shownUnit(unit: string | null, coin: string): { unit: string; show: (value: string) => string } {
  const whole = (value: string) => BigInt(value.split('.')[0] ?? value);
  if (unit === 'wei') return { unit: coin, show: (value) => fat(whole(value)) };
  if (unit === 'wei per gas') return { unit: 'Gwei', show: (value) => gwei(whole(value)) };
  return { unit: unit ?? '', show: (value) => value };
}
