/**
 * Writes SQL that decodes ABI-encoded values. If the data is too short, values are zeros and empty strings.
 * @source Solidity docs, Contract ABI Specification, Formal Specification of the Encoding
 */
import type { ParamType } from 'ethers';

const maxElements = 1_000;
/** Maximum nesting of arrays and structs: each level doubles the SQL. */
const maxDepth = 3;

/** Decodes an indexed parameter. A topic contains only a hash of strings, bytes, arrays and structs. */
export function decodeTopic({ type }: ParamType, topic: string): string {
  return readElementary(type, topic, '0') ?? topic;
}

/**
 * Decodes a parameter from the data of a log. Arrays (at most 1,000 elements) and structs become JSON text.
 * @param params all parameters that are not indexed
 * @param data SQL column
 * @returns undefined if arrays and structs are nested too deeply
 */
export function decodeData(params: readonly ParamType[], index: number, data: string): string | undefined {
  const param = params[index];
  if (!param || params.some((each) => getDepth(each) > maxDepth)) return undefined;
  const head = sumSizes(params.slice(0, index));
  const at = isDynamic(param) ? number(data, `${head}`) : `${head}`;
  const elementary = readElementary(param.type, data, at) ?? readBytes(param.type, data, at);
  if (elementary !== undefined) return elementary;
  return `toJSONString(${readValue(param, data, at, 0)})`;
}

/** Reads an offset or length: the last 8 bytes of a word. */
const number = (data: string, at: string) => `reinterpretAsUInt64(reverse(substring(${data}, ${at} + 25, 8)))`;
const word = (data: string, at: string) => `substring(${data}, ${at} + 1, 32)`;

function readElementary(type: string, data: string, at: string): string | undefined {
  if (type === 'address') return `toFixedString(substring(${data}, ${at} + 13, 20), 20)`;
  if (type === 'bool') return `toBool(reinterpretAsUInt8(substring(${data}, ${at} + 32, 1)) != 0)`;
  if (/^uint\d+$/.test(type)) return `reinterpretAsUInt256(reverse(${word(data, at)}))`;
  if (/^int\d+$/.test(type)) return `reinterpretAsInt256(reverse(${word(data, at)}))`;
  const bytes = /^bytes(\d+)$/.exec(type)?.[1];
  if (bytes === '20' || bytes === '32') return `toFixedString(substring(${data}, ${at} + 1, ${bytes}), ${bytes})`;
  return bytes === undefined ? undefined : `concat('0x', lower(hex(substring(${data}, ${at} + 1, ${bytes}))))`;
}

function readBytes(type: string, data: string, at: string): string | undefined {
  const content = `substring(${data}, ${at} + 33, ${number(data, at)})`;
  if (type === 'string') return `toValidUTF8(${content})`;
  return type === 'bytes' ? `concat('0x', lower(hex(${content})))` : undefined;
}

/** Reads a value inside an array or struct. @param at offset */
function readValue(param: ParamType, data: string, at: string, depth: number): string {
  const { type, arrayChildren, components } = param;
  if (arrayChildren) return readArray(param, arrayChildren, data, at, depth);
  if (components) return `tuple(${readParts(components, data, at, depth).join(', ')})`;
  if (type === 'address') return `concat('0x', lower(hex(substring(${data}, ${at} + 13, 20))))`;
  if (/^bytes(20|32)$/.test(type)) return `concat('0x', lower(hex(substring(${data}, ${at} + 1, ${type.slice(5)}))))`;
  const value = readElementary(type, data, at) ?? readBytes(type, data, at) ?? "''";
  return `toString(${value})`;
}

function readParts(parts: readonly ParamType[], data: string, start: string, depth: number): string[] {
  return parts.map((part, i) => {
    const head = `${start} + ${sumSizes(parts.slice(0, i))}`;
    return readValue(part, data, isDynamic(part) ? `${start} + ${number(data, head)}` : head, depth);
  });
}

function readArray({ arrayLength }: ParamType, child: ParamType, data: string, at: string, depth: number): string {
  const isFixed = arrayLength !== null && arrayLength >= 0;
  const start = isFixed ? at : `${at} + 32`;
  const count = isFixed ? `${Math.min(arrayLength, maxElements)}` : `least(${number(data, at)}, ${maxElements})`;
  const i = `i${depth}`;
  const head = `${start} + ${i} * ${getSize(child)}`;
  const element = readValue(child, data, isDynamic(child) ? `${start} + ${number(data, head)}` : head, depth + 1);
  return `arrayMap(${i} -> ${element}, range(${count}))`;
}

function isDynamic({ type, arrayLength, arrayChildren, components }: ParamType): boolean {
  if (arrayChildren) return arrayLength === -1 || arrayLength === null || isDynamic(arrayChildren);
  if (components) return components.some(isDynamic);
  return type === 'string' || type === 'bytes';
}

function getDepth({ arrayChildren, components }: ParamType): number {
  if (arrayChildren) return 1 + getDepth(arrayChildren);
  return components ? 1 + Math.max(0, ...components.map(getDepth)) : 0;
}

/** Returns the size in the head of the encoding, bytes. */
function getSize(param: ParamType): number {
  if (isDynamic(param)) return 32;
  if (param.arrayChildren) return (param.arrayLength ?? 0) * getSize(param.arrayChildren);
  return param.components ? sumSizes(param.components) : 32;
}

const sumSizes = (params: readonly ParamType[]) => params.reduce((sum, param) => sum + getSize(param), 0);
