/**
 * What the embedded engine runs, judged by its own parser and by lists of what is allowed: kinds of statements, clauses,
 * functions, engines and settings. What no list names is refused. Rights of the engine (access/users.xml) are another
 * wall; this one does not rest on them.
 */
import { LRUCache } from 'lru-cache';
import { type Token, tokenize } from '#sql/compile/tokenize.ts';
import { argumentCounts, isAllowedSetting, nodeKinds, otherFunctions, statementKinds } from './access/allowed.ts';
import { EngineException } from './exception.ts';

interface Verdict {
  /** False of what changes rows, tables or the engine. */
  readonly readsOnly: boolean;
  /** Database of the table or view that is created; empty where the statement names none, absent where none is created. */
  readonly createsIn?: string;
}

/** A statement as the engine's parser understands it. */
interface ParsedStatement {
  /** Lines of `EXPLAIN AST`, a blank per level before each. @source ClickHouse src/Parsers/DumpASTNode.h */
  readonly tree: readonly string[];
  /** The statement written anew from its tree. */
  readonly canonical: string;
}

/** Names that are functions to the engine. */
interface FunctionNames {
  readonly exact: ReadonlySet<string>;
  /** Lower case; of these case does not matter. */
  readonly folded: ReadonlySet<string>;
  /** Longest first: `If`, `State` and what else may follow an aggregate function's name. */
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
   * @param sql one statement without its values: texts that differ in values alone are judged once
   * @throws EngineException 62 as the parser words it, 497 for what no list allows
   */
  async judge(sql: string): Promise<Verdict> {
    const known = this.#verdicts.get(sql);
    if (known) return known;
    this.#functions ??= this.parser.functionNames();
    this.#functions.catch(() => {
      this.#functions = undefined;
    });
    const verdict = judgeParsed(await this.parser.parse(sql), await this.#functions);
    this.#verdicts.set(sql, verdict);
    return verdict;
  }
}

/** @throws EngineException 497 for what no list allows */
function judgeParsed({ tree, canonical }: ParsedStatement, functions: FunctionNames): Verdict {
  const nodes = tree.map((line) => line.trimStart());
  const kind = statementKinds.find(({ root }) => isNode(nodes[0] ?? '', root));
  if (!kind || kind.begins?.test(canonical) === false) throw refused(`Statement ${canonical.split(' ', 3).join(' ')}`);
  nodes.forEach((node, at) => {
    if (at > 0 && !hasItsArguments(node, nodes[at + 1])) judgeNode(node, kind.functions ?? [], functions);
  });
  judgeClauses([...tokenize(canonical)]);
  const created = /^CREATE (?:OR REPLACE )?(?:TABLE|VIEW|MATERIALIZED VIEW) (?:IF NOT EXISTS )?(?:([^\s.(]+)\.)?/.exec(
    canonical,
  );
  return { readsOnly: kind.readsOnly, ...(created ? { createsIn: created[1] ?? '' } : {}) };
}

const isNode = (line: string, kind: string) => line === kind || line.startsWith(`${kind} `);

/** A line of no known form is refused, such as one that a name with a line end in it makes. */
function judgeNode(node: string, ofStatement: readonly string[], functions: FunctionNames): void {
  const kind = nodeKinds.find((name) => isNode(node, name));
  if (kind === undefined) throw refused(`Clause ${node.slice(0, 60)}`);
  const name = node.slice(kind.length + 1).split(' ')[0] ?? '';
  if (kind === 'Function' && !isAllowedFunction(name, functions) && !ofStatement.includes(name))
    throw refused(`Function or engine ${name.slice(0, 60)}`);
  if (/^(Table)?Identifier$/.test(kind) && /[/\\]/.test(node)) throw refused('A path in the place of a name');
}

/** Whether it is a call with a listed number of arguments. The line below a node without an alias is its first child. */
function hasItsArguments(node: string, below = ''): boolean {
  const name = /^Function (\w+) \(children 1\)$/.exec(node)?.[1] ?? '';
  return argumentCounts.has(name) && below === `ExpressionList (children ${argumentCounts.get(name)})`;
}

function isAllowedFunction(name: string, functions: FunctionNames): boolean {
  if (functions.exact.has(name) || functions.folded.has(name.toLowerCase()) || otherFunctions.has(name)) return true;
  const combinator = functions.combinators.find((suffix) => name.endsWith(suffix) && name !== suffix);
  return combinator !== undefined && isAllowedFunction(name.slice(0, -combinator.length), functions);
}

/** Settings and files are no nodes of their own: they are read off the text that the engine wrote from its tree. */
function judgeClauses(tokens: readonly Token[]): void {
  const isWord = (at: number, ...words: string[]) => tokens[at]?.kind === 'word' && words.includes(tokens[at].text);
  let judgedTo = -1;
  for (const [at, { text }] of tokens.entries()) {
    if (at <= judgedTo) continue;
    if (isWord(at, 'INFILE', 'OUTFILE')) throw refused(text);
    if (/^(input|values)$/i.test(text) && tokens[at + 1]?.text === '(' && hasExpression(tokens[at + 2]))
      throw refused('An expression in the structure of rows');
    const isSetting = isWord(at, 'SETTINGS', 'SETTING') && !isWord(at - 1, 'RESET');
    if (isSetting || (at === 0 && isWord(at, 'SET'))) judgedTo = judgeSettings(tokens, at + 1);
  }
}

/** Whether a literal that names columns and types also gives one an expression. */
function hasExpression(structure: Token | undefined): boolean {
  return structure?.kind === 'string' && /\b(DEFAULT|MATERIALIZED|ALIAS|EPHEMERAL)\b/i.test(structure.text);
}

/** @param at index of the first setting's name @returns index of the last token of the list */
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

function refused(what: string): EngineException {
  return EngineException.of(497, `${what} is not available: the embedded engine runs what engine/access lists`);
}
