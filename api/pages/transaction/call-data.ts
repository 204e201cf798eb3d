import { type Html, html } from '../../drawing/html.ts';
import { dataView, hexView } from '../parts/decoded.ts';
import { counted } from '../parts/number.ts';

const wordDigits = 64;
const maxWords = 200;

/**
 * Shows call data as bytes, and if possible as text, or as a selector and 32-byte words. @source Solidity ABI
 * specification
 */
export function callDataView(input: string, hash?: string): Html {
  if (input === '0x') return html`<p class="empty">The transaction has no call data.</p>`;
  const bytes = (input.length - 2) / 2;
  const isCall = bytes % 32 === 4;
  const path = hash && `/api/v1/transactions/${hash}`;
  return html`<p class="muted">${counted(bytes, 'byte')}</p>${isCall && wordsView(input)}<details${!isCall && html` open`}><summary>Raw bytes</summary><p>${isCall ? hexView(input, path) : dataView(input, path)}</p></details>`;
}

function wordsView(input: string): Html {
  const words = input.slice(10).match(/.{64}/g) ?? [];
  const rest = words.length - maxWords;
  return html`<p>Method <code class="hex">${input.slice(0, 10)}</code></p><ol class="topics" start="0">${words
    .slice(0, maxWords)
    .map((word) => html`<li><code class="hex whole">${word.padEnd(wordDigits, '0')}</code></li>`)}</ol>${
    rest > 0 && html`<p class="muted">and ${counted(rest, 'word')} more</p>`
  }`;
}
