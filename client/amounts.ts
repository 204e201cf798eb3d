/** Parses an amount in a reply: wei, or a token's smallest unit. @throws RangeError if the text is not an integer */
export function parseAmount(text: string): bigint {
  if (!/^-?\d+$/.test(text)) throw new RangeError(`"${text}" is not an integer amount`);
  return BigInt(text);
}

/** Formats an amount without rounding: formatUnits(1500000000000000000n) is "1.5". */
export function formatUnits(amount: bigint, decimals = 18): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return `${amount < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/**
 * Converts a decimal number to the smallest unit, the reverse of formatUnits().
 * @throws RangeError if the text is not a number or has too many decimals
 */
export function parseUnits(text: string, decimals = 18): bigint {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  const fraction = match?.[3] ?? '';
  if (!match || fraction.length > decimals)
    throw new RangeError(`"${text}" is not a decimal number with at most ${decimals} decimals`);
  const amount = BigInt(`${match[2]}${fraction.padEnd(decimals, '0')}`);
  return match[1] === '-' ? -amount : amount;
}
