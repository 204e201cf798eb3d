/** Lexer of ClickHouse SQL. @source ClickHouse src/Parsers/Lexer.cpp */
export interface Token {
  readonly kind: 'word' | 'number' | 'string' | 'quoted' | 'punctuation';
  readonly text: string;
  readonly startIndex: number;
  readonly endIndexExclusive: number;
}

const pattern = new RegExp(
  [
    String.raw`(?<skip>\s+|--[^\n]*|#[ !][^\n]*|/\*[\s\S]*?(?:\*/|$))`,
    String.raw`(?<string>'(?:[^'\\]|\\[\s\S]|'')*(?:'|$)|\$(?<tag>\w*)\$[\s\S]*?(?:\$\k<tag>\$|$))`,
    String.raw`(?<quoted>"(?:[^"\\]|\\[\s\S]|"")*(?:"|$)|${'`'}(?:[^${'`'}\\]|\\[\s\S]|${'``'})*(?:${'`'}|$))`,
    String.raw`(?<word>[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*)`,
    String.raw`(?<number>\d[\w.]*)`,
    String.raw`(?<punctuation>[\s\S])`,
  ].join('|'),
  'gy',
);

/** Returns the tokens of SQL, without comments and white space. */
export function* tokenize(sql: string): Generator<Token> {
  const lexer = new RegExp(pattern.source, pattern.flags);
  for (let match = lexer.exec(sql); match; match = lexer.exec(sql)) {
    const groups = match.groups as Record<string, string | undefined>;
    if (groups.skip !== undefined) continue;
    const kind = (['string', 'quoted', 'word', 'number', 'punctuation'] as const).find((k) => groups[k] !== undefined);
    if (!kind) return;
    yield { kind, text: match[0], startIndex: match.index, endIndexExclusive: match.index + match[0].length };
  }
}

/**
 * Returns whether ClickHouse may read a token, or the text before it, differently: // comments, nested comments,
 * unclosed quotes, and non-ASCII words (ClickHouse reads some characters as white space).
 */
export function isAmbiguous(
  text: string,
  { kind, text: own, startIndex }: Token,
  previous: Token | undefined,
): boolean {
  const gap = text.slice(previous?.endIndexExclusive ?? 0, startIndex);
  const isComment = own === '/' && previous?.text === '/' && gap === '';
  const isNested = /\/\*(?:(?!\*\/)[\s\S])*?\/\*/.test(gap);
  const isQuote = /^['"`]/.test(own);
  const isOpen = isQuote ? own.length < 2 || own.at(-1) !== own[0] : /^\$(?!(\w*)\$[\s\S]*\$\1\$$)/.test(own);
  return isComment || isNested || isOpen || (kind === 'word' && /[^\x20-\x7e]/.test(own));
}

export function isWord(token: Token | undefined, word: string): boolean {
  return token?.kind === 'word' && token.text.toUpperCase() === word;
}

/** Splits a script at semicolons, without empty statements. */
export function splitStatements(script: string): string[] {
  const statements: string[] = [];
  let start = 0;
  let hasCode = false;
  for (const token of tokenize(script)) {
    if (token.text === ';' && token.kind === 'punctuation') {
      if (hasCode) statements.push(script.slice(start, token.startIndex).trim());
      start = token.endIndexExclusive;
      hasCode = false;
    } else {
      hasCode = true;
    }
  }
  if (hasCode) statements.push(script.slice(start).trim());
  return statements;
}
