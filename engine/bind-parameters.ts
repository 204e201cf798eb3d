/**
 * Replaces each placeholder `{name:Type}` with the HTTP parameter `param_name`. The engine's query parameters are
 * unsafe, because all connections share them.
 * @source ClickHouse src/Interpreters/ReplaceQueryParameterVisitor.cpp
 */
import { replacePlaceholders } from '#sql/compile/placeholders.ts';
import { EngineException } from './exception.ts';

/**
 * @throws EngineException 456 for a missing value, 457 for a number outside the range of its type
 */
export function bindParameters(sql: string, values: ReadonlyMap<string, string>): string {
  return replacePlaceholders(sql, (name, type) => literal(name, type, given(values, name)));
}

/** Leaves placeholders without a value. */
export function bindGiven(sql: string, values: ReadonlyMap<string, string>): string {
  return replacePlaceholders(sql, (name, type) =>
    values.has(name) ? literal(name, type, given(values, name)) : `{${name}:${type}}`,
  );
}

/**
 * Replaces placeholders with empty values, except identifiers. One permission check then covers all values.
 * @throws EngineException 456 if an identifier is missing
 */
export function bindNames(sql: string, values: ReadonlyMap<string, string>): string {
  return replacePlaceholders(sql, (name, type) => {
    if (type === 'Identifier') return literal(name, type, given(values, name));
    return type === 'String' ? "''" : `_CAST('', ${quoteString(type)})`;
  });
}

function given(values: ReadonlyMap<string, string>, name: string): string {
  const value = values.get(name);
  if (value === undefined) throw EngineException.of(456, `Substitution \`${name}\` is not set`);
  return value;
}

function literal(name: string, type: string, escaped: string): string {
  if (escaped === '\\N' && /^(Nullable|LowCardinality\(Nullable)\(/.test(type))
    return `_CAST(NULL, ${quoteString(type)})`;
  const value = unescapeTsv(escaped);
  if (type === 'Identifier') return `\`${value.replace(/[\\`]/g, '\\$&')}\``;
  if (type === 'String') return quoteString(value);
  assertInRange(name, type, value);
  return `_CAST(${quoteString(value)}, ${quoteString(type)})`;
}

export function quoteString(value: string): string {
  return `'${value.replace(/[\\']/g, '\\$&').replaceAll('\0', '\\0')}'`;
}

/** Rejects integers outside the range of their type, because the engine would change them. */
function assertInRange(name: string, type: string, value: string): void {
  const [, unsigned, size] = /^(U?)Int(8|16|32|64|128|256)$/.exec(type) ?? [];
  if (size === undefined) return;
  const bits = BigInt(size);
  const [low, high] = unsigned ? [0n, (1n << bits) - 1n] : [-(1n << (bits - 1n)), (1n << (bits - 1n)) - 1n];
  const number = /^[+-]?\d+$/.test(value) ? BigInt(value) : undefined;
  if (number === undefined || number < low || number > high) {
    throw EngineException.of(
      457,
      `Value ${value.slice(0, 100)} cannot be parsed as ${type} for query parameter '${name}'`,
    );
  }
}

const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '0': '\0', a: '\x07', v: '\v' };

function unescapeTsv(text: string): string {
  return text.replace(/\\(x[0-9a-fA-F]{2}|[\s\S])/g, (_, c: string) =>
    c.length === 3 ? String.fromCharCode(Number.parseInt(c.slice(1), 16)) : (escapes[c] ?? c),
  );
}
