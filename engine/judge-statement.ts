/** Checks whether a client may run a statement. access/users.xml is a second, independent protection. */
import { LRUCache } from 'lru-cache';
import { type Token, tokenize } from '#sql/compile/tokenize.ts';
import {
  argumentCounts,
  isAllowedSetting,
  nodeKinds,
  otherFunctions,
  statementKinds,
  userStatements,
} from './access/allowed.ts';
import { EngineException } from './exception.ts';

interface Verdict {
  readonly readsOnly: boolean;
  /** Database of the created table or view. Empty: the statement names no database; undefined: it creates nothing. */
  readonly createsIn?: string;
  /** Why the role sql_user may not run the statement; undefined if it may. */
  readonly notForUsers?: string;
}

interface ParsedStatement {
  /** Output of `EXPLAIN AST`, one blank of indentation per level. @source ClickHouse src/Parsers/DumpASTNode.h */
  readonly tree: readonly string[];
  readonly canonical: string;
}

interface FunctionNames {
  readonly exact: ReadonlySet<string>;
  /** Lower-case names of case-insensitive functions. */
  readonly folded: ReadonlySet<string>;
  readonly combinators: readonly string[];
}

export interface EngineParser {
  parse(sql: string): Promise<ParsedStatement>;
  functionNames(): Promise<FunctionNames>;
}

export class StatementJudge {
  readonly #verdicts = new LRUCache<string, Verdict>({ maxSize: 8 << 20, sizeCalculation: (_, sql) => sql.length + 1 });
  #functions: Promise<FunctionNames> | undefined;
  readonly parser: EngineParser;

  constructor(parser: EngineParser) {
    this.parser = parser;
  }

  /**
   * @param sql one statement without parameter values, from bindNames()
   * @throws EngineException 62 for a syntax error, 497 if the statement is not allowed
   */
  async judge(sql: string): Promise<Verdict> {
    const cached = this.#verdicts.get(sql);
    if (cached) return cached;
    this.#functions ??= this.parser.functionNames();
    this.#functions.catch(() => {
      this.#functions = undefined;
    });
    const verdict = judgeParsed(await this.parser.parse(sql), await this.#functions);
    this.#verdicts.set(sql, verdict);
    return verdict;
  }
}

function judgeParsed({ tree, canonical }: ParsedStatement, functions: FunctionNames): Verdict {
  const nodes = tree.map((line) => line.trimStart());
  const kind = statementKinds.find(({ root }) => isNode(nodes[0] ?? '', root));
  if (!kind || kind.begins?.test(canonical) === false) throw refused(`Statement ${canonical.split(' ', 3).join(' ')}`);
  nodes.forEach((node, at) => {
    if (at > 0 && !hasItsArguments(node, nodes[at + 1])) judgeNode(node, kind.functions ?? [], functions);
    if (/^Function (input|values)\b/i.test(node)) judgeStructure(nodes[at + 2] ?? '');
  });
  const tokens = [...tokenize(canonical)];
  judgeClauses(tokens);
  const created = /^CREATE (?:OR REPLACE )?(?:TABLE|VIEW|MATERIALIZED VIEW) (?:IF NOT EXISTS )?(?:([^\s.(]+)\.)?/.exec(
    canonical,
  );
  const notForUsers = refusalForUsers(kind.root, nodes, tokens);
  return {
    readsOnly: kind.readsOnly,
    ...(created ? { createsIn: created[1] ?? '' } : {}),
    ...(notForUsers === undefined ? {} : { notForUsers }),
  };
}

/** The engine does not protect system tables, which show the statements of other clients. */
function refusalForUsers(root: string, nodes: readonly string[], tokens: readonly Token[]): string | undefined {
  if (!userStatements.has(root)) return `Statement ${root}`;
  // the setting readonly does not prevent SETTINGS in subqueries
  if (tokens.some(({ kind, text }, at) => kind === 'word' && text === 'SETTINGS' && tokens[at + 2]?.text === '='))
    return 'Clause SETTINGS';
  if (nodes.some((node) => /^Function sleep/i.test(node))) return 'Function sleep';
  const name = nodes.find((node) => /^(Table)?Identifier (system|information_schema)\./i.test(node))?.split(' ')[1];
  return name === undefined ? undefined : `Table ${name.slice(0, 60)}`;
}

const isNode = (line: string, kind: string) => line === kind || line.startsWith(`${kind} `);

/** Rejects unknown lines of the syntax tree. Names with a line break produce such lines, so they are rejected too. */
function judgeNode(node: string, ofStatement: readonly string[], functions: FunctionNames): void {
  const kind = nodeKinds.find((name) => isNode(node, name));
  if (kind === undefined) throw refused(`Clause ${node.slice(0, 60)}`);
  const name = node.slice(kind.length + 1).split(' ')[0] ?? '';
  if (kind === 'Function' && !isAllowedFunction(name, functions) && !ofStatement.includes(name))
    throw refused(`Function or engine ${name.slice(0, 60)}`);
  if (/^(Table)?Identifier$/.test(kind) && /[/\\]/.test(node)) throw refused('A path as a name');
}

/** Checks the number of arguments, which is in the next line of the syntax tree. */
function hasItsArguments(node: string, below = ''): boolean {
  const name = /^Function (\w+) \(children 1\)$/.exec(node)?.[1] ?? '';
  return argumentCounts.has(name) && below === `ExpressionList (children ${argumentCounts.get(name)})`;
}

function isAllowedFunction(name: string, functions: FunctionNames): boolean {
  if (functions.exact.has(name) || functions.folded.has(name.toLowerCase()) || otherFunctions.has(name)) return true;
  const combinator = functions.combinators.find((suffix) => name.endsWith(suffix) && name !== suffix);
  return combinator !== undefined && isAllowedFunction(name.slice(0, -combinator.length), functions);
}

/** Checks settings and files in the text, because the syntax tree omits them. */
function judgeClauses(tokens: readonly Token[]): void {
  const isWord = (at: number, ...words: string[]) => tokens[at]?.kind === 'word' && words.includes(tokens[at].text);
  let judgedTo = -1;
  for (const [at, { text }] of tokens.entries()) {
    if (at <= judgedTo) continue;
    if (isWord(at, 'INFILE', 'OUTFILE')) throw refused(text);
    const isSetting = isWord(at, 'SETTINGS', 'SETTING') && !isWord(at - 1, 'RESET');
    if (isSetting || (at === 0 && isWord(at, 'SET'))) judgedTo = judgeSettings(tokens, at + 1);
  }
}

/**
 * Rejects a first argument of input() or values() that could list columns with expressions, which the tree omits. It
 * must be a literal, because a name can get its text from WITH. A text parameter is '' here, so it is rejected. Blanks
 * replace escapes such as \n first.
 * @param argument line of the syntax tree
 */
function judgeStructure(argument: string): void {
  const text = /^Literal '(.*)$/.exec(argument)?.[1];
  if (!isNode(argument, 'Literal') || text?.startsWith("'"))
    throw refused('A first argument of input() or values() that is an expression, a parameter or an empty text');
  if (/\b(DEFAULT|MATERIALIZED|ALIAS|EPHEMERAL|TTL)\b/i.test(text?.replace(/\\./g, ' ') ?? ''))
    throw refused('An expression as the structure of input() or values()');
}

function judgeSettings(tokens: readonly Token[], at: number): number {
  const [name, equals, ...rest] = tokens.slice(at, at + 5);
  const value = rest[0]?.text === '-' ? rest.slice(1) : rest;
  const isLiteral =
    value[0]?.kind === 'number' || value[0]?.kind === 'string' || /^(true|false)$/.test(value[0]?.text ?? '');
  if (name?.kind !== 'word' || equals?.text !== '=' || !isLiteral || !isAllowedSetting(name.text))
    throw refused(`Setting ${name?.text ?? ''}`);
  const last = at + 2 + (rest.length - value.length);
  return tokens[last + 1]?.text === ',' ? judgeSettings(tokens, last + 2) : last;
}

export function refused(what: string): EngineException {
  return EngineException.of(
    497,
    `${what} is not allowed by the embedded ClickHouse; the files in engine/access list what is allowed`,
  );
}
