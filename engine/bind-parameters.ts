/**
 * Replaces the placeholder `{name:Type}` of a statement by the HTTP parameter `param_name`. The engine's own parameters
 * are unsafe here, because all connections share them.
 * @source ClickHouse src/Interpreters/ReplaceQueryParameterVisitor.cpp
 */
import { type Token, tokenize } from '#sql/compile/tokenize.ts';
import { EngineException } from './exception.ts';

/**
 * Replaces all placeholders of an SQL statement by their values.
 * @throws EngineException 456 for a missing value, 457 for a value out of its type's range
 */
export function bindParameters(sql: string, values: ReadonlyMap<string, string>): string {
  return bind(sql, (name, type) => literal(name, type, given(values, name)));
}

/** Replaces those placeholders of an SQL statement that have a value. */
export function bindGiven(sql: string, values: ReadonlyMap<string, string>): string {
  return bind(sql, (name, type) => (values.has(name) ? literal(name, type, given(values, name)) : `{${name}:${type}}`));
}

/**
 * Replaces the placeholders of an SQL statement by empty values, except identifiers, so that the permission check
 * applies to all values.
 * @throws EngineException 456 if an identifier is missing
 */
export function bindNames(sql: string, values: ReadonlyMap<string, string>): string {
  return bind(sql, (name, type) => {
    if (type === 'Identifier') return literal(name, type, given(values, name));
    return type === 'String' ? "''" : `_CAST('', ${quoteString(type)})`;
  });
}

function bind(sql: string, write: (name: string, type: string) => string): string {
  if (!sql.includes('{')) return sql;
  let bound = '';
  let copiedTo = 0;
  const tokens = [...tokenize(sql)];
  for (let i = 0; i < tokens.length; i++) {
    const [open, name, typeStart] = [tokens[i], tokens[i + 1], tokens[i + 3]];
    if (open?.text !== '{' || name?.kind !== 'word' || tokens[i + 2]?.text !== ':') continue;
    const closeAt = findClose(tokens, i);
    const close = tokens[closeAt];
    if (!close || !typeStart) continue;
    const type = sql.slice(typeStart.startIndex, close.startIndex).trim();
    bound += sql.slice(copiedTo, open.startIndex) + write(name.text, type);
    copiedTo = close.endIndexExclusive;
    i = closeAt;
  }
  return bound + sql.slice(copiedTo);
}

/** Returns the index of the bracket that closes a placeholder; -1 if another one opens before. */
function findClose(tokens: readonly Token[], open: number): number {
  for (let at = open + 1; at < tokens.length; at++) {
    if (tokens[at]?.text === '}') return at;
    if (tokens[at]?.text === '{') return -1;
  }
  return -1;
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
