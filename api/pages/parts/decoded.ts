import { isAddress } from '#chain/codec/hex.ts';
import type { Decoded, DecodedValue } from '../decode/decode-log.ts';
import { type Html, html } from '../html.ts';
import { chainText } from './chain-text.ts';
import { fullAddress } from './links.ts';
import { grouped } from './number.ts';

const [maxValues, maxDigits] = [50, 2_050];

export function decodedView({ name, signature, family, values }: Decoded, coin: string): Html {
  return html`<div class="decoded"><p><strong>${name}</strong>${family && html` <span class="badge">${family}</span>`} <code class="muted">${signature}</code></p>
${values.length > 0 && html`<dl class="values">${values.map((value) => valueView(value, coin))}</dl>`}</div>`;
}

function valueView({ name, type, value }: DecodedValue, coin: string): Html {
  const one = type.replace(/\[\d*\]$/, '');
  const shown =
    typeof value === 'string'
      ? single(type, value, coin)
      : html`<ol class="list">${value.slice(0, maxValues).map((part) => html`<li>${single(one, part, coin)}</li>`)}${
          value.length > maxValues && html`<li class="muted">and ${value.length - maxValues} more</li>`
        }</ol>`;
  return html`<div><dt>${name || '–'} <small>${type}</small></dt><dd>${shown}</dd></div>`;
}

function single(type: string, value: string, coin: string): Html {
  if (type === 'address' && isAddress(value)) return fullAddress(value.toLowerCase());
  if (/^u?int\d*$/.test(type)) return html`<span class="amount">${grouped(value)}</span>`;
  if (type === 'string') return chainText(value, coin, 'text');
  return hexView(value);
}

export function hexView(hex: string): Html {
  if (hex.length <= maxDigits) return html`<code class="hex whole">${hex}</code>`;
  return html`<code class="hex whole">${hex.slice(0, maxDigits)}</code> <span class="muted">… ${grouped((hex.length - 2) / 2)} bytes</span>`;
}
