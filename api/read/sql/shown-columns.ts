/** Converts binary values of a result (addresses, hashes) to hex text. @source ClickHouse docs, Data types */

interface TypeNode {
  readonly name: string;
  readonly parts: readonly TypeNode[];
}

export interface Column {
  readonly name: string;
  readonly type: string;
}

/** Converts all FixedString values to 0x hex. @param columns result columns of `sql`, a SELECT */
export function showBinary(sql: string, columns: readonly Column[]): string {
  const shown = columns.map(({ name, type }) => {
    const quoted = quote(name);
    const expression = show(quoted, parseType(type), 0);
    if (expression === undefined) return quoted;
    // keeps the element names of a tuple
    const typed = type.includes('Tuple(') ? `CAST(${expression}, '${shownType(type)}')` : expression;
    return `${typed} AS ${quoted}`;
  });
  return columns.some(({ type }) => type.includes('FixedString'))
    ? `SELECT ${shown.join(', ')} FROM (\n${sql}\n)`
    : sql;
}

const shownType = (type: string) => type.replace(/FixedString\(\d+\)/g, 'String').replace(/[\\']/g, '\\$&');

/** Returns undefined if the value contains no FixedString. */
function show(value: string, { name, parts }: TypeNode, depth: number): string | undefined {
  const [first, second] = parts;
  if (name === 'FixedString') return `concat('0x', lower(hex(${value})))`;
  if (!first) return undefined;
  if (name === 'Nullable' || name === 'LowCardinality') return show(value, first, depth);
  if (name === 'Array') return showArray(value, first, depth);
  if (name === 'Map' && second) return showMap(value, [first, second], depth);
  return name === 'Tuple' ? showTuple(value, parts, depth) : undefined;
}

function showArray(value: string, type: TypeNode, depth: number): string | undefined {
  const element = show(`x${depth}`, type, depth + 1);
  return element === undefined ? undefined : `arrayMap(x${depth} -> ${element}, ${value})`;
}

function showMap(value: string, [ofKey, ofItem]: readonly [TypeNode, TypeNode], depth: number): string | undefined {
  const [key, item] = [`k${depth}`, `v${depth}`];
  const [shownKey, shownItem] = [show(key, ofKey, depth + 1), show(item, ofItem, depth + 1)];
  if (shownKey === undefined && shownItem === undefined) return undefined;
  return `mapApply((${key}, ${item}) -> (${shownKey ?? key}, ${shownItem ?? item}), ${value})`;
}

function showTuple(value: string, types: readonly TypeNode[], depth: number): string | undefined {
  const elements = types.map((_, i) => `tupleElement(${value}, ${i + 1})`);
  const shown = types.map((type, i) => show(elements[i] ?? '', type, depth));
  if (shown.every((element) => element === undefined)) return undefined;
  return `tuple(${shown.map((element, i) => element ?? elements[i]).join(', ')})`;
}

function parseType(text: string): TypeNode {
  const open = text.indexOf('(');
  const head = (open < 0 ? text : text.slice(0, open)).trim();
  const parts = open < 0 ? [] : splitParts(text.slice(open + 1, text.lastIndexOf(')')));
  // a tuple element may have a name before its type
  return { name: head.slice(head.lastIndexOf(' ') + 1), parts: parts.map(parseType) };
}

/** Splits type arguments at outer commas. */
function splitParts(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (const [at, char] of [...text].entries()) {
    if (char === '(') depth++;
    if (char === ')') depth--;
    if (char === ',' && depth === 0) {
      parts.push(text.slice(from, at).trim());
      from = at + 1;
    }
  }
  return [...parts, text.slice(from).trim()];
}

const quote = (name: string) => `\`${name.replace(/[\\`]/g, '\\$&')}\``;
