/** What the server must know of a statement's text before it gives it to the engine: where it ends, and where rows begin. */
import { lastOf } from '#runtime/lists.ts';
import { type Token, tokenize } from '#sql/compile/tokenize.ts';

import { EngineException } from './exception.ts';

export interface Statement {
  /** Text without a closing semicolon; for an insert with data, up to and with the format's name. */
  readonly sql: string;
  /** First keyword, upper case. */
  readonly keyword: string;
  /** Set for `INSERT … FORMAT x`: where `FROM INFILE` belongs, and the inline data that followed in the same text. */
  readonly insert?: {
    readonly sourceIndex: number;
    readonly dataIndex: number;
    /** `INSERT … SELECT … FROM input('structure') … FORMAT x`: where the call of input is, and the format. */
    readonly input?: { readonly startIndex: number; readonly endIndexExclusive: number; readonly format: string };
  };
}

/** @throws EngineException 62 for an empty or a second statement */
export function inspectStatement(text: string): Statement {
  const { tokens, format, inputAt } = readTokens(text);
  const keyword = tokens.find((token) => token.text !== '(')?.text.toUpperCase() ?? '';
  if (keyword === '' || keyword === ';') throw EngineException.of(62, 'Empty query');
  const last = lastOf(tokens);
  if (!format) return { sql: text.slice(0, last.text === ';' ? last.startIndex : last.endIndexExclusive), keyword };
  const dataIndex = skipLineEnd(text, last.endIndexExclusive);
  // a table or column may have that name too
  const isClause = (token: Token, at: number) => isWord(token, 'SETTINGS') && tokens[at + 2]?.text === '=';
  const sourceIndex = tokens.find(isClause)?.startIndex ?? format.startIndex;
  const sql = text.slice(0, inputAt >= 0 ? format.startIndex : last.endIndexExclusive);
  const input = inputAt >= 0 ? { input: { ...callAt(tokens, inputAt), format: last.text } } : {};
  return { sql, keyword, insert: { sourceIndex, dataIndex, ...input } };
}

interface StatementTokens {
  /** All, or of an insert with data those up to the format's name. */
  readonly tokens: readonly Token[];
  /** The word FORMAT of an insert with data. */
  readonly format?: Token;
  /** Index of the token INPUT; -1: there is none. */
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
    // what follows is data, not SQL
    if (!readsElsewhere && previous && isWord(previous, 'FORMAT')) return { tokens, format: previous, inputAt };
  }
  return { tokens, inputAt };
}

/**
 * Refuses what the engine's lexer may read otherwise than ours: comments by //, comments within comments, what is not
 * closed, and typographic quotes. @source ClickHouse src/Parsers/Lexer.cpp
 */
function assertPlain(text: string, token: Token, previous: Token | undefined): void {
  const gap = text.slice(previous?.endIndexExclusive ?? 0, token.startIndex);
  const isComment = token.text === '/' && previous?.text === '/' && gap === '';
  const isNested = /\/\*(?:(?!\*\/)[\s\S])*?\/\*/.test(gap);
  const isOpen = /^(?:['"`].*[^'"`]|['"`]|\$(?!(\w*)\$[\s\S]*\$\1\$$)[\s\S]*)$/s.test(token.text);
  if (isComment || isNested || isOpen || /[\u2018\u2019\u201c\u201d]/.test(token.kind === 'word' ? token.text : ''))
    throw EngineException.of(
      62,
      'A comment by //, a comment within a comment, or a quote that is not closed is not taken',
    );
}

/** A call with one literal: name, bracket, literal, bracket. */
function callAt(tokens: readonly Token[], at: number): { startIndex: number; endIndexExclusive: number } {
  const [name, literal, close] = [tokens[at], tokens[at + 2], tokens[at + 3]];
  if (!name || literal?.kind !== 'string' || close?.text !== ')')
    throw EngineException.of(36, 'Table function input takes its structure as one literal');
  return { startIndex: name.startIndex, endIndexExclusive: close.endIndexExclusive };
}

function isWord(token: Token | undefined, ...words: string[]): boolean {
  return token?.kind === 'word' && words.includes(token.text.toUpperCase());
}

/** Data begins after the blanks behind the format's name and one line end. @source ClickHouse ParserInsertQuery.cpp */
function skipLineEnd(text: string, from: number): number {
  return from + (/^[ \t\f]*;?[ \t\f]*\r?\n?/.exec(text.slice(from, from + 64))?.[0].length ?? 0);
}
