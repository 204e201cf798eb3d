/** Checks a client's SQL, lists its views, and converts its addresses and hashes to binary. */

import { isAmbiguous, isWord, type Token, tokenize } from '#sql/compile/tokenize.ts';
import { publicViews } from '#sql/public-views.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { maxInterfaces } from '../contracts/interfaces-of.ts';

export interface UserStatement {
  /** One SELECT with binary addresses and hashes. */
  readonly sql: string;
  readonly views: ReadonlySet<string>;
  /** Contracts of the decoded_events_0x… views, 40 hex digits each. */
  readonly decoded: readonly string[];
}

/** Maximum SQL length, characters. */
export const maxSqlLength = 65_536;

export const decodedPrefix = 'decoded_events_0x';

/** Rejected: every ClickHouse user may read them, and they show statements of other clients. */
const engineDatabases = new Set(['system', 'information_schema']);

/**
 * Literals '0x…' of 40 or 64 hex digits, and parameters of type Address or Hash, become binary as in the views.
 * @throws ApiProblem bad_query unless the text is one SELECT without FORMAT, INTO OUTFILE and SETTINGS
 */
export function readUserStatement(text: string): UserStatement {
  const tokens = [...tokenize(text)];
  if (tokens.at(-1)?.text === ';') tokens.pop();
  assertPlain(text, tokens);
  assertOneSelect(tokens);
  const names = new Set(tokens.flatMap((token) => getName(token) ?? []));
  const decoded = [...names].flatMap(
    (name) => /^decoded_events_0x([0-9a-f]{40})$/i.exec(name)?.[1]?.toLowerCase() ?? [],
  );
  if (decoded.length > maxInterfaces)
    throw new ApiProblem(
      'bad_query',
      `sql may read decoded events of at most ${maxInterfaces} contracts, got ${decoded.length}`,
    );
  return {
    sql: rewrite(text.slice(0, tokens.at(-1)?.endIndexExclusive), tokens),
    views: new Set(publicViews().flatMap(({ name }) => (names.has(name) ? [name] : []))),
    decoded,
  };
}

function getName({ kind, text }: Token): string | undefined {
  if (kind === 'quoted') return text.slice(1, -1);
  return kind === 'word' ? text : undefined;
}

const maxPlaceholders = 100;

/** Rejects text that the database could parse differently, and escapes in quoted names, which are not decoded here. */
function assertPlain(text: string, tokens: readonly Token[]): void {
  for (const [at, token] of tokens.entries()) {
    const hidesName = token.kind === 'quoted' && token.text.includes('\\');
    if (hidesName || isAmbiguous(text, token, tokens[at - 1]))
      throw new ApiProblem(
        'bad_query',
        'these are not accepted: comments with //, nested comments, unclosed quotes, backslashes in quoted names, and characters other than ASCII outside quotes',
      );
  }
  if (tokens.filter(({ text: own }) => own === '{').length > maxPlaceholders)
    throw new ApiProblem('bad_query', `sql may have at most ${maxPlaceholders} placeholders`);
}

function assertOneSelect(tokens: readonly Token[]): void {
  const first = tokens.find(({ text }) => text !== '(')?.text.toUpperCase();
  if (first !== 'SELECT' && first !== 'WITH')
    throw new ApiProblem('bad_query', 'sql must be one SELECT statement; it may begin with WITH');
  for (const at of tokens.keys()) {
    const refusal = refusalAt(tokens, at);
    if (refusal !== undefined) throw new ApiProblem('bad_query', refusal);
  }
}

/** Returns why a token is rejected. */
function refusalAt(tokens: readonly Token[], at: number): string | undefined {
  const [token, next, third] = tokens.slice(at, at + 3);
  const word = token?.kind === 'word' ? token.text.toUpperCase() : undefined;
  if (token?.kind === 'punctuation' && token.text === ';')
    return 'sql must be one statement, got a semicolon before its end';
  if (word === 'IDENTIFIER' && tokens[at - 1]?.text === ':')
    return 'placeholders of the type Identifier are not accepted: write names into sql';
  if (word !== undefined) {
    const refusal = refusalOfPhrase(word, next, third);
    if (refusal !== undefined) return refusal;
  }
  const name = token && getName(token)?.toLowerCase();
  if (name && engineDatabases.has(name) && next?.text === '.')
    return `tables of the database ${name} are not accepted: use the views of /api/v1/sql/views`;
  return undefined;
}

function refusalOfPhrase(word: string, next: Token | undefined, third: Token | undefined): string | undefined {
  if (word === 'WITH' && isWord(next, 'TOTALS') && !isWord(third, 'AS'))
    return 'WITH TOTALS is not accepted: use GROUP BY … WITH ROLLUP';
  if (word === 'OUTFILE') return 'INTO OUTFILE is not accepted';
  if (word === 'SETTINGS' && (third?.text === '=' || next?.text === '{'))
    return 'SETTINGS are not accepted: the service sets the limits';
  if (word === 'FORMAT' && next?.kind === 'word' && third === undefined)
    return 'FORMAT is not accepted in sql: use the field format';
  return undefined;
}

function rewrite(text: string, tokens: readonly Token[]): string {
  let written = '';
  let copiedTo = 0;
  const replace = (from: number, to: number, by: string) => {
    written += text.slice(copiedTo, from) + by;
    copiedTo = to;
  };
  for (const [at, { kind, text: own, startIndex, endIndexExclusive }] of tokens.entries()) {
    const digits = kind === 'string' ? /^'0x([0-9a-fA-F]{40}|[0-9a-fA-F]{64})'$/.exec(own)?.[1] : undefined;
    if (digits !== undefined) replace(startIndex, endIndexExclusive, binary(`'${digits}'`, digits.length / 2));
    if (/^decoded_events_0x[0-9a-f]{40}$/i.test(own)) replace(startIndex, endIndexExclusive, own.toLowerCase());
    const found = findPlaceholder(tokens, at);
    if (!found) continue;
    const { name, type, endIndexExclusive: end } = found;
    replace(startIndex, end, binary(`substring({${name}:String}, 3)`, type === 'Address' ? 20 : 32));
  }
  return written + text.slice(copiedTo);
}

interface BinaryPlaceholder {
  readonly name: string;
  readonly type: 'Address' | 'Hash';
  readonly endIndexExclusive: number;
}

/** Returns placeholders of type Address or Hash, except in comments and strings. */
export function listBinaryPlaceholders(sql: string): BinaryPlaceholder[] {
  const tokens = [...tokenize(sql)];
  return tokens.flatMap((_, at) => findPlaceholder(tokens, at) ?? []);
}

function findPlaceholder(tokens: readonly Token[], at: number): BinaryPlaceholder | undefined {
  const [open, name, colon, type, close] = tokens.slice(at, at + 5);
  if (open?.text !== '{' || !name || colon?.text !== ':' || close?.text !== '}') return undefined;
  if (type?.text !== 'Address' && type?.text !== 'Hash') return undefined;
  return { name: name.text, type: type.text, endIndexExclusive: close.endIndexExclusive };
}

const binary = (hex: string, bytes: number) => `toFixedString(unhex(${hex}), ${bytes})`;
