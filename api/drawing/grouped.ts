/** Formats decimal strings with every digit. @source ECMA-402, Intl.NumberFormat v3 */
const thousands = new Intl.NumberFormat('en-US');

/** @param value decimal; may have a sign and a fraction */
export function grouped(value: string | number | bigint): string {
  const [whole, fraction] = String(value).split('.');
  const shown = thousands.format(whole as `${number}`);
  return fraction === undefined ? shown : `${shown}.${fraction}`;
}
