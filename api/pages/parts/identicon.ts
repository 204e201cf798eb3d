import { type Html, html } from '../../drawing/html.ts';

const size = 5;

/** Draws a symmetrical pattern from an address, so that users notice another address. */
export function identicon(address: string): Html {
  const digits = [...address.slice(2).toLowerCase()].map((digit) => Number.parseInt(digit, 16));
  const mixed = digits.reduce((hash, digit) => Math.imul(hash ^ digit, 16_777_619) >>> 0, 2_166_136_261);
  const hue = mixed % 360;
  let cells = '';
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      const at = y * 3 + Math.min(x, size - 1 - x);
      if (((digits[2 * at] ?? 0) + (digits[2 * at + 1] ?? 0)) % 2 === 0) cells += `M${x} ${y}h1v1h-1z`;
    }
  return html`<svg class="identicon" viewBox="0 0 5 5" aria-hidden="true"><path fill="hsl(${hue},55%,50%)" d="${cells}"/></svg>`;
}
