import { isAddress } from '#chain/codec/hex.ts';
import { grouped } from '../../drawing/grouped.ts';
import { type Html, html } from '../../drawing/html.ts';
import type { Decoded, DecodedValue } from '../../read/contracts/decode/decode.ts';
import { dataText, readableText } from './chain-text.ts';
import { fullAddress } from './links.ts';

const [maxValues, maxDigits] = [50, 2_050];

const sourceNames = { verified: 'verified', standard: '', signature: 'by signature' } as const;

export function decodedView({ name, signature, source, family, values, others }: Decoded): Html {
  const badge = family || sourceNames[source];
  return html`<div class="decoded"><p><strong>${readableText(name)}</strong>${badge && html` <span class="badge">${badge}</span>`} <code class="muted">${readableText(signature, 'text')}</code></p>${
    source === 'signature' &&
    html`<p class="muted">Decoded by a signature of another contract, because this contract has no matching verified source code. Names can be wrong.${
      others.length > 0 && html` These signatures fit too: ${readableText(others.join(', '), 'text')}.`
    }</p>`
  }
${values.length > 0 && html`<dl class="values">${values.map((value) => valueView(value))}</dl>`}</div>`;
}

function valueView({ name, type, value }: DecodedValue): Html {
  const one = type.replace(/\[\d*\]$/, '');
  const shown =
    typeof value === 'string'
      ? single(type, value)
      : html`<ol class="list">${value.slice(0, maxValues).map((part) => html`<li>${single(one, part)}</li>`)}${
          value.length > maxValues && html`<li class="muted">and ${value.length - maxValues} more</li>`
        }</ol>`;
  return html`<div><dt>${name || '–'} <small>${type}</small></dt><dd>${shown}</dd></div>`;
}

function single(type: string, value: string): Html {
  if (type === 'address' && isAddress(value)) return fullAddress(value.toLowerCase());
  if (/^u?int\d*$/.test(type)) return html`<span class="amount">${grouped(value)}</span>`;
  if (type === 'string') return dataText(value);
  return /^0x[0-9a-f]*$/i.test(value) ? hexView(value) : html`${readableText(value, 'text')}`;
}

/** Shows the first 1,024 bytes. @param path path of the complete data */
export function hexView(hex: string, path?: string): Html {
  if (hex.length <= maxDigits) return html`<code class="hex whole">${hex}</code>`;
  const size = grouped((hex.length - 2) / 2);
  const all = path === undefined ? html`${size} bytes` : html`<a href="${path}">all ${size} bytes, as JSON</a>`;
  return html`<code class="hex whole">${hex.slice(0, maxDigits)}</code> <span class="muted">… ${all}</span>`;
}

/** As `hexView`, plus the text if the bytes encode one. */
export function dataView(hex: string, path?: string): Html {
  const text = findText(hex);
  return html`${text !== undefined && html`<p>${dataText(text)}</p>`}${hexView(hex, path)}`;
}

/** Returns the text that the bytes encode in UTF-8; undefined if they are empty or encode other characters. */
function findText(hex: string): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(hex.slice(2), 'hex'));
    return /^[\p{L}\p{N}\p{P}\p{S}\p{Zs}\n\r\t]{3,}$/u.test(text) && /[\p{L}\p{N}]/u.test(text) ? text : undefined;
  } catch {
    return undefined; // not UTF-8
  }
}
