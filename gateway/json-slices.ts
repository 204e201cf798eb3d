/** Splits a JSON array. The parts keep their bytes, including numbers above 2^53 and unknown fields. */

export function sliceArray(text: string): string[] {
  const slices: string[] = [];
  for (let at = skipBlank(text, text.indexOf('[') + 1); text[at] !== ']'; ) {
    assertWithin(text, at);
    const end = skipValue(text, at);
    slices.push(text.slice(at, end));
    at = skipBlank(text, end);
    if (text[at] === ',') at = skipBlank(text, at + 1);
  }
  return slices;
}

/** Returns the first members of an object in order, including repeated names. Values are raw JSON. */
export function sliceObject(text: string, limit = Number.POSITIVE_INFINITY): [name: string, value: string][] {
  const members: [string, string][] = [];
  for (let at = skipBlank(text, text.indexOf('{') + 1); text[at] !== '}' && members.length < limit; ) {
    assertWithin(text, at);
    const nameEnd = skipValue(text, at);
    const name = JSON.parse(text.slice(at, nameEnd)) as string;
    const valueAt = skipBlank(text, text.indexOf(':', nameEnd) + 1);
    const end = skipValue(text, valueAt);
    members.push([name, text.slice(valueAt, end)]);
    at = skipBlank(text, end);
    if (text[at] === ',') at = skipBlank(text, at + 1);
  }
  return members;
}

function skipBlank(text: string, at: number): number {
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at++;
  return at;
}

function skipValue(text: string, at: number): number {
  if (text[at] === '"') return skipString(text, at);
  if (text[at] !== '{' && text[at] !== '[') return skipScalar(text, at);
  for (let depth = 0; ; at++) {
    assertWithin(text, at);
    const char = text[at];
    if (char === '"') at = skipString(text, at) - 1;
    else if (char === '{' || char === '[') depth++;
    else if (char === '}' || char === ']') if (--depth === 0) return at + 1;
  }
}

function skipScalar(text: string, at: number): number {
  while (at < text.length && !',]} \n\r\t'.includes(text.charAt(at))) at++;
  return at;
}

function skipString(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); ; end = text.indexOf('"', end + 1)) {
    if (end < 0) throw new SyntaxError('the JSON text ends inside a string');
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return end + 1;
  }
}

/** Prevents an endless loop on truncated JSON. */
function assertWithin(text: string, at: number): void {
  if (at >= text.length) throw new SyntaxError('the JSON text is truncated');
}
