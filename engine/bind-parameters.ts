/**
 * Replaces the placeholder `{name:Type}` of a statement by the HTTP parameter `param_name`. The engine's own parameters
 * are unsafe here, because all connections share them.
 * @source ClickHouse src/Interpreters/ReplaceQueryParameterVisitor.cpp
 */
import { replacePlaceholders } from '#sql/compile/placeholders.ts';
import { EngineException } from './exception.ts';

/**
 * Replaces all placeholders of an SQL statement by their values.
 * @throws EngineException 456 for a missing value, 457 for a value out of its type's range
 */
export function bindParameters(sql: string, values: ReadonlyMap<string, string>): string {
  return replacePlaceholders(sql, (name, type) => literal(name, type, given(values, name)));
}

/** Replaces those placeholders of an SQL statement that have a value. */
export function bindGiven(sql: string, values: ReadonlyMap<string, string>): string {
  return replacePlaceholders(sql, (name, type) =>
    values.has(name) ? literal(name, type, given(values, name)) : `{${name}:${type}}`,
  );
}

/**
 * Replaces the placeholders of an SQL statement by empty values, except identifiers, so that the permission check
 * applies to all values.
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

/** The engine would wrap integers out of their type's range around to other values. */
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
