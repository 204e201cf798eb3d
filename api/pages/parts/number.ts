/** Formats numbers, never with floats for amounts. */
import { grouped } from '../../drawing/grouped.ts';
import { type Html, html } from '../../drawing/html.ts';

/** Converts an amount to whole units with all digits. @param value decimal, in the smallest unit */
export function exactAmount(value: string, decimals: number): string {
  const sign = value.startsWith('-') ? '-' : '';
  const digits = value.replace('-', '').padStart(decimals + 1, '0');
  const whole = grouped(digits.slice(0, digits.length - decimals));
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return sign + (decimals > 0 && fraction ? `${whole}.${fraction}` : whole);
}

/** Shortens the fraction of an amount for lists. Rounds toward zero, so that a list never shows too much. */
export function shortAmount(exact: string): string {
  if (exact.startsWith('-')) return `-${shortAmount(exact.slice(1))}`.replace(/^-<(.*)/, '>-$1');
  const [whole = '', fraction = ''] = exact.split('.');
  if (fraction.length <= 6) return exact;
  const zeros = whole === '0' ? fraction.search(/[^0]|$/) : 0;
  if (zeros >= 9) return '<0.000000001';
  const truncated = fraction
    .slice(0, whole === '0' ? Math.max(4, zeros + 3) : exact.indexOf('.') > 5 ? 2 : 4)
    .replace(/0+$/, '');
  return truncated ? `${whole}.${truncated}` : whole;
}

const maxShown = 36;

/** Shows long amounts as a power of ten. Omitted digits would make an amount look smaller. */
function fitted(text: string): string {
  if (text.length <= maxShown) return text;
  const digits = (text.split('.')[0] ?? '').replaceAll(/[,-]/g, '');
  const sign = text.startsWith('-') ? '-' : '';
  return `${sign}${digits.charAt(0)}.${digits.slice(1, 5)} × 10^${digits.length - 1}`;
}

/** @returns "1 block" or "2 blocks" */
export const counted = (count: number | string, noun: string): string =>
  `${grouped(count)} ${noun}${String(count) === '1' ? '' : 's'}`;

function amountWith(exact: string, shown: string, unit: Html | string, title: string): Html {
  const text = fitted(shown);
  return html`<span class="amount"${text !== exact && html` title="${title}"`}>${text}${unit && html` <span class="unit">${unit}</span>`}</span>`;
}

export function coinAmount(wei: string, coin: string): Html {
  const exact = exactAmount(wei, 18);
  return amountWith(exact, shortAmount(exact), coin, `${exact} ${coin}`);
}

export function exactCoin(wei: string, coin: string): Html {
  return html`<span class="amount">${exactAmount(wei, 18)} <span class="unit">${coin}</span></span>`;
}

export function gwei(wei: string): Html {
  const exact = exactAmount(wei, 9);
  return amountWith(exact, shortAmount(exact), 'gwei', `${exact} gwei, ${grouped(wei)} wei`);
}

/** Returns whether to show amounts in the token's smallest unit, because its decimals are unknown or useless. */
export const isInSmallestUnit = (decimals: number | null): decimals is null => decimals === null || decimals > 77;

export function unitsAmount(value: string, decimals: number | null, symbol?: Html): Html {
  if (isInSmallestUnit(decimals))
    return amountWith(
      grouped(value),
      grouped(value),
      html`smallest units${symbol && html` of ${symbol}`}`,
      `${grouped(value)} in the smallest unit`,
    );
  const exact = exactAmount(value, decimals);
  return amountWith(exact, shortAmount(exact), symbol ?? '', exact);
}

/** Shows a token amount. NFT amounts are whole, whatever decimals their contract reports. */
export const amountOfToken = (
  value: string,
  { standard, decimals }: { readonly standard: string; readonly decimals: number | null },
  symbol?: Html,
): Html => unitsAmount(value, standard === 'erc20' ? decimals : 0, symbol);

/** @param share from 0 to 1 */
export function percent(share: string | number | null, digits = 2): string {
  if (share === null) return '–';
  const value = 100 * Number(share);
  if (value > 0 && value < 10 ** -digits) return `<${(10 ** -digits).toFixed(digits)}%`;
  const text = value.toFixed(digits);
  // never round up to 100%
  return value < 100 && Number(text) === 100 ? `${(100 - 10 ** -digits).toFixed(digits)}%` : `${text}%`;
}

/** Formats a holder's share. The API truncates shares to six decimals, so small shares would be 0. */
export const formatShare = ({ share, balance }: { readonly share: string | null; readonly balance: string }) =>
  percent(balance !== '0' && Number(share ?? 1) === 0 ? Number.MIN_VALUE : share, 4);

/** Formats US dollars: three significant digits below 1, cents below 1 million, otherwise integers. */
export function dollars(amount: number): string {
  const isSmall = Math.abs(amount) < 1;
  const format = isSmall
    ? { maximumSignificantDigits: 3 }
    : { minimumFractionDigits: amount < 1e6 ? 2 : 0, maximumFractionDigits: amount < 1e6 ? 2 : 0 };
  return `$${amount.toLocaleString('en-US', format)}`;
}
