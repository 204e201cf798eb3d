import { getLast } from '#runtime/lists.ts';
import { isAmbiguous, type Token, tokenize } from '#sql/compile/tokenize.ts';

import { EngineException } from './exception.ts';

export interface Statement {
  /** Statement without final semicolon and inserted rows. An INSERT with input() ends before FORMAT. */
  readonly sql: string;
  readonly keyword: string;
  /** For `INSERT … FORMAT x`: index at which to add `FROM INFILE`, and index of the first row. */
  readonly insert?: {
    readonly sourceIndex: number;
    readonly dataIndex: number;
    /** For `INSERT … SELECT … FROM input('structure') … FORMAT x`: position of input(…), and the format. */
    readonly input?: { readonly startIndex: number; readonly endIndexExclusive: number; readonly format: string };
  };
}

/**
 * Separates an INSERT statement from the rows after it.
 * @throws EngineException 62 for empty text or a second statement
 */
export function inspectStatement(text: string): Statement {
  const { tokens, format, inputAt } = readTokens(text);
  const keyword = tokens.find((token) => token.text !== '(')?.text.toUpperCase() ?? '';
  if (keyword === '' || keyword === ';') throw EngineException.of(62, 'Empty query');
  const last = getLast(tokens);
  if (!format) return { sql: text.slice(0, last.text === ';' ? last.startIndex : last.endIndexExclusive), keyword };
  const dataIndex = skipLineEnd(text, last.endIndexExclusive);
  // otherwise SETTINGS is the name of a table or column
  const isClause = (token: Token, at: number) => isWord(token, 'SETTINGS') && tokens[at + 2]?.text === '=';
  const sourceIndex = tokens.find(isClause)?.startIndex ?? format.startIndex;
  const sql = text.slice(0, inputAt >= 0 ? format.startIndex : last.endIndexExclusive);
  const input = inputAt >= 0 ? { input: { ...callAt(tokens, inputAt), format: last.text } } : {};
  return { sql, keyword, insert: { sourceIndex, dataIndex, ...input } };
}

interface StatementTokens {
  readonly tokens: readonly Token[];
  readonly format?: Token;
  readonly inputAt: number;
}

function readTokens(text: string): StatementTokens {
  const tokens: Token[] = [];
  let inputAt = -1;
  let readsElsewhere = false;
  for (const token of tokenize(text)) {
    const previous = tokens.at(-1);
    if (previous?.text === ';') throw EngineException.of(62, 'Multi-statements are not allowed');
    assertPlain(text, token, previous);
    tokens.push(token);
    if (token.kind !== 'word' || !isWord(tokens[0], 'INSERT')) continue;
    if (inputAt < 0 && isWord(token, 'SELECT', 'VALUES')) readsElsewhere = true;
    if (isWord(previous, 'FROM') && isWord(token, 'INPUT')) [inputAt, readsElsewhere] = [tokens.length - 1, false];
    // after the format name, rows follow instead of SQL
    if (!readsElsewhere && previous && isWord(previous, 'FORMAT')) return { tokens, format: previous, inputAt };
  }
  return { tokens, inputAt };
}

function assertPlain(text: string, token: Token, previous: Token | undefined): void {
  if (isAmbiguous(text, token, previous))
    throw EngineException.of(
      62,
      '// comments, nested comments, unclosed quotes, and characters other than ASCII outside quotes are not supported',
    );
}

/** @throws EngineException 36 unless the argument is one string literal */
function callAt(tokens: readonly Token[], at: number): { startIndex: number; endIndexExclusive: number } {
  const [name, literal, close] = [tokens[at], tokens[at + 2], tokens[at + 3]];
  if (!name || literal?.kind !== 'string' || close?.text !== ')')
    throw EngineException.of(36, 'Table function input requires its structure as one string literal');
  return { startIndex: name.startIndex, endIndexExclusive: close.endIndexExclusive };
}

function isWord(token: Token | undefined, ...words: string[]): boolean {
  return token?.kind === 'word' && words.includes(token.text.toUpperCase());
}

/** Skips blanks, a semicolon and a line end before inserted rows. @source ClickHouse ParserInsertQuery.cpp */
function skipLineEnd(text: string, from: number): number {
  return from + (/^[ \t\f]*;?[ \t\f]*\r?\n?/.exec(text.slice(from, from + 64))?.[0].length ?? 0);
}
