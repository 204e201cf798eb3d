/** What the server must know of a statement before it gives it to the engine. */
import { type Token, tokenize } from '../tokenize.ts';
import { EngineException } from './exception.ts';

export interface Statement {
  /** Text without a closing semicolon; for an insert with data, up to and with the format's name. */
  readonly sql: string;
  /** First keyword, upper case. */
  readonly keyword: string;
  readonly readsOnly: boolean;
  /** Set for `INSERT … FORMAT x`: where `FROM INFILE` belongs, and the inline data that followed in the same text. */
  readonly insert?: {
    readonly sourceIndex: number;
    readonly dataIndex: number;
    /** `INSERT … SELECT … FROM input('structure') … FORMAT x`: where the call of input is, and the format. */
    readonly input?: { readonly startIndex: number; readonly endIndexExclusive: number; readonly format: string };
  };
}

const readKeywords = new Set([
  'SELECT',
  'WITH',
  'SHOW',
  'DESCRIBE',
  'DESC',
  'EXPLAIN',
  'EXISTS',
  'CHECK',
  'SET',
  'USE',
]);

/** Table functions that reach past this database: files, networks and other processes. */
const outside = new Set(
  `file filecluster url urlcluster s3 s3cluster gcs hdfs hdfscluster azureblobstorage azureblobstoragecluster remote remotesecure
  cluster clusterallreplicas mysql postgresql mongodb redis sqlite odbc jdbc executable iceberg icebergs3 deltalake hudi
  python input_file`.split(/\s+/),
);

/**
 * @throws EngineException 62 for an empty or a second statement, 497 for access to files or other hosts
 */
export function inspectStatement(text: string): Statement {
  const tokens: Token[] = [];
  let formatAt = -1;
  let settingsAt = -1;
  let inputAt = -1;
  for (const token of tokenize(text)) {
    const previous = tokens.at(-1);
    if (previous?.text === ';') throw EngineException.of(62, 'Multi-statements are not allowed');
    tokens.push(token);
    refuseOutside(token, previous, tokens[0]!);
    if (token.kind !== 'word' || tokens[0]?.text.toUpperCase() !== 'INSERT') continue;
    if (isWord(token, 'SETTINGS')) settingsAt = token.startIndex;
    if (inputAt < 0 && (isWord(token, 'SELECT') || isWord(token, 'VALUES'))) formatAt = -2;
    if (isWord(previous, 'FROM') && isWord(token, 'INPUT')) [inputAt, formatAt] = [tokens.length - 1, -1];
    if (formatAt === -1 && isWord(previous, 'FORMAT')) {
      formatAt = previous!.startIndex;
      break; // what follows is data, not SQL
    }
  }
  const keyword = tokens.find((token) => token.text !== '(')?.text.toUpperCase() ?? '';
  if (keyword === '' || keyword === ';') throw EngineException.of(62, 'Empty query');
  const last = tokens.at(-1)!;
  const readsOnly = readKeywords.has(keyword);
  if (formatAt >= 0) {
    const dataIndex = skipLineEnd(text, last.endIndexExclusive);
    const sourceIndex = settingsAt >= 0 && settingsAt < formatAt ? settingsAt : formatAt;
    const sql = text.slice(0, inputAt >= 0 ? formatAt : last.endIndexExclusive);
    const input = inputAt >= 0 ? { input: { ...callAt(tokens, inputAt), format: last.text } } : {};
    return { sql, keyword, readsOnly, insert: { sourceIndex, dataIndex, ...input } };
  }
  const endIndexExclusive = last.text === ';' ? last.startIndex : last.endIndexExclusive;
  return { sql: text.slice(0, endIndexExclusive), keyword, readsOnly };
}

/** A call with one literal: name, bracket, literal, bracket. */
function callAt(tokens: readonly Token[], at: number): { startIndex: number; endIndexExclusive: number } {
  const [name, literal, close] = [tokens[at], tokens[at + 2], tokens[at + 3]];
  if (!name || literal?.kind !== 'string' || close?.text !== ')')
    throw EngineException.of(36, 'Table function input takes its structure as one literal');
  return { startIndex: name.startIndex, endIndexExclusive: close.endIndexExclusive };
}

function isWord(token: Token | undefined, word: string): boolean {
  return token?.kind === 'word' && token.text.toUpperCase() === word;
}

function refuseOutside(token: Token, previous: Token | undefined, first: Token): void {
  if (isWord(token, 'INFILE') || isWord(token, 'OUTFILE')) {
    throw EngineException.of(497, `${token.text.toUpperCase()} is not available over HTTP`);
  }
  // the engine itself keeps files of backups within the directory that it was given for them
  const isBackupFile = (isWord(first, 'BACKUP') || isWord(first, 'RESTORE')) && isWord(previous, 'FILE');
  if (isBackupFile) return;
  const name = token.text === '(' ? nameOf(previous) : undefined;
  if (name !== undefined && outside.has(name.toLowerCase()))
    throw EngineException.of(497, `Function ${name} is not available: it reaches outside of the database`);
}

/** Name of the function that is called, quoted or not. @throws EngineException 497 for one that is written with escapes */
function nameOf(token: Token | undefined): string | undefined {
  if (token?.kind === 'word') return token.text;
  if (token?.kind !== 'quoted') return undefined;
  if (token.text.includes('\\')) throw EngineException.of(497, 'Names of functions are taken without escapes');
  return token.text.slice(1, -1);
}

/** Data begins after the blanks behind the format's name and one line end. @source ClickHouse ParserInsertQuery.cpp */
function skipLineEnd(text: string, from: number): number {
  return from + (/^[ \t\f]*;?[ \t\f]*\r?\n?/.exec(text.slice(from, from + 64))?.[0].length ?? 0);
}
