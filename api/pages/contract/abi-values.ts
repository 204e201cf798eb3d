/** Parses form arguments and shows values of all ABI types, including structs and arrays. */

import { type ParamType, Result } from 'ethers';
import { isHexData } from '#chain/codec/hex.ts';
import { grouped } from '../../drawing/grouped.ts';
import { type Html, html } from '../../drawing/html.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { parseAddress } from '../../terms/parse-address.ts';
import { dataText } from '../parts/chain-text.ts';
import { hexView } from '../parts/decoded.ts';
import { fullAddress } from '../parts/links.ts';

const maxItems = 200;

/**
 * Arrays and structs are JSON; numbers may be decimal or 0x hex.
 * @throws ApiProblem bad_query
 */
export function parseArgument(type: ParamType, text: string): unknown {
  const name = type.name || type.type;
  if (type.baseType !== 'array' && type.baseType !== 'tuple')
    return parseSingle(type, type.type === 'string' ? text : text.trim(), name);
  try {
    // quote numbers, because JSON numbers lose digits; leave texts unchanged
    const quoted = text.replace(/"(?:\\.|[^"\\])*"|0x[0-9a-f]*|-?\d+/gi, (part) =>
      part.startsWith('"') ? part : `"${part}"`,
    );
    return convert(type, JSON.parse(quoted), name);
  } catch (error) {
    if (error instanceof ApiProblem) throw error;
    throw new ApiProblem('bad_query', `${name} must be JSON of the type ${type.format()}, such as [1, 2]`);
  }
}

function convert(type: ParamType, value: unknown, name: string): unknown {
  if (type.baseType === 'array') {
    if (!Array.isArray(value)) throw new ApiProblem('bad_query', `${name} must be a JSON array`);
    return value.map((each) => convert(type.arrayChildren as ParamType, each, name));
  }
  if (type.baseType !== 'tuple') {
    if (typeof value !== 'string' && typeof value !== 'boolean')
      throw new ApiProblem('bad_query', `${name} must be a ${type.type}, in JSON`);
    return parseSingle(type, String(value), name);
  }
  return convertStruct(type.components ?? [], value, name);
}

function convertStruct(parts: readonly ParamType[], value: unknown, name: string): unknown[] {
  const members = parts.map((part) => part.name);
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  const isList = Array.isArray(value);
  if (keys.length !== parts.length || (!isList && keys.some((key) => !members.includes(key))))
    throw new ApiProblem('bad_query', `${name} must be a struct with the members ${members.join(', ')}, in JSON`);
  return parts.map((part, i) => {
    const given = isList ? value[i] : (value as Record<string, unknown>)[part.name];
    return convert(part, given, `${name}.${part.name}`);
  });
}

function parseSingle({ type }: ParamType, text: string, name: string): unknown {
  if (type === 'bool') {
    if (!/^(true|false|0|1)$/i.test(text)) throw new ApiProblem('bad_query', `${name} must be true or false`);
    return /^(true|1)$/i.test(text);
  }
  if (/^u?int/.test(type)) {
    if (!/^(-?\d{1,78}|0x[0-9a-f]{1,64})$/i.test(text)) throw new ApiProblem('bad_query', `${name} must be an integer`);
    return BigInt(text);
  }
  if (type === 'address') return parseAddress(text, name);
  if (type.startsWith('bytes') && !isHexData(text))
    throw new ApiProblem('bad_query', `${name} must be bytes: 0x and hex digits`);
  return text;
}

/** Shows a decoded value. @param value as ethers decodes it */
function valueView(type: ParamType, value: unknown): Html {
  if (type.baseType === 'array' && value instanceof Result) {
    const items = value.toArray();
    const child = type.arrayChildren as ParamType;
    return html`<ol class="list" start="0">${items.slice(0, maxItems).map((item) => html`<li>${valueView(child, item)}</li>`)}${
      items.length > maxItems && html`<li class="muted">and ${grouped(items.length - maxItems)} more</li>`
    }</ol>${items.length === 0 && html`<span class="muted">empty list</span>`}`;
  }
  if (type.baseType === 'tuple' && value instanceof Result) return namedValues(type.components ?? [], value.toArray());
  const text = String(value);
  if (type.type === 'address') return fullAddress(text.toLowerCase());
  if (/^u?int/.test(type.type)) return html`<span class="amount">${grouped(text)}</span>`;
  if (type.type === 'string') return dataText(text);
  return type.type === 'bool' ? html`${text}` : hexView(text);
}

export function namedValues(types: readonly ParamType[], values: readonly unknown[]): Html {
  return html`<dl class="values">${types.map(
    (type, i) =>
      html`<div><dt>${type.name || (types.length > 1 ? `[${i}]` : 'result')} <small>${type.format()}</small></dt><dd>${valueView(type, values[i])}</dd></div>`,
  )}</dl>`;
}
