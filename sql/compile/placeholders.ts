import { type Token, tokenize } from './tokenize.ts';

/** Replaces the placeholders `{name:Type}` of a statement. */
export function replacePlaceholders(sql: string, write: (name: string, type: string) => string): string {
  if (!sql.includes('{')) return sql;
  let written = '';
  let copiedTo = 0;
  const tokens = [...tokenize(sql)];
  for (let i = 0; i < tokens.length; i++) {
    const [open, name, typeStart] = [tokens[i], tokens[i + 1], tokens[i + 3]];
    if (open?.text !== '{' || name?.kind !== 'word' || tokens[i + 2]?.text !== ':') continue;
    const closeAt = findClose(tokens, i);
    const close = tokens[closeAt];
    if (!close || !typeStart) continue;
    const type = sql.slice(typeStart.startIndex, close.startIndex).trim();
    written += sql.slice(copiedTo, open.startIndex) + write(name.text, type);
    copiedTo = close.endIndexExclusive;
    i = closeAt;
  }
  return written + sql.slice(copiedTo);
}

/** Returns the index of the closing bracket; -1 if another bracket opens first. */
function findClose(tokens: readonly Token[], open: number): number {
  for (let at = open + 1; at < tokens.length; at++) {
    if (tokens[at]?.text === '}') return at;
    if (tokens[at]?.text === '{') return -1;
  }
  return -1;
}
