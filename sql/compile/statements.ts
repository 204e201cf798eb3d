/**
 * Loads the statements under sql/queries. Each file has a machine-readable head:
 *
 *   -- name:    history_by_address
 *   -- serves:  listAccountTransactions
 *   -- params:  from_block: first block of the page | kind: mint, burn or empty
 *   -- returns: one row per transaction, newest first
 *   -- reads:   address_roles by its key
 *   -- budget:  5 s, 512 MiB, 10_001 rows
 *
 * `serves`: routes and commands that use the statement. `budget`: limits of time, memory and result rows; `rows of
 * 32 MiB` also limits the uncompressed result; `, first` at the end gives high priority, for statements that every
 * request waits for. With `-- orders:  asc, desc`, the file defines two statements, `name_asc` and `name_desc`.
 */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { StatementName } from '../statements.gen.ts';
import { findSqlFiles, includeFragments } from './load-sql.ts';
import { parameterMeanings } from './parameter-meanings.ts';
import { tokenize } from './tokenize.ts';

export interface Statement {
  readonly name: string;
  readonly serves: readonly string[];
  readonly sql: string;
  readonly parameters: readonly string[];
  /** Meanings that override parameter-meanings.ts. */
  readonly ownMeanings?: ReadonlyMap<string, string>;
  readonly budget: Budget;
}

interface Budget {
  readonly maxSeconds: number;
  readonly maxMemoryBytes: number;
  readonly maxResultRows: number;
  readonly maxResultBytes?: number;
  readonly isHighPriority?: boolean;
}

const queriesDir = join(import.meta.dirname, '../queries');
const headFields = ['name', 'serves', 'returns', 'reads', 'budget'] as const;

export type Statements = ReadonlyMap<string, Statement>;

/** @throws Error when a head is incomplete or contradicts its statement */
export function loadStatements(dir = queriesDir): Statements {
  const statements = new Map<string, Statement>();
  for (const path of findSqlFiles(dir)) {
    for (const statement of parseFile(basename(path, '.sql'), readFileSync(path, 'utf8'))) {
      if (statements.has(statement.name)) throw new Error(`statement name ${statement.name} is used twice`);
      statements.set(statement.name, statement);
    }
  }
  return statements;
}

/** @throws Error if there is no statement with this name (a bug) */
export function getStatement(statements: Statements, name: StatementName): Statement {
  const statement = statements.get(name);
  if (!statement) throw new Error(`unknown statement ${name}: not found under sql/queries`);
  return statement;
}

function parseFile(fileName: string, text: string): Statement[] {
  if (!/^-- orders: +asc, desc$/m.test(text)) return [parseStatement(fileName, includeFragments(text))];
  return (['asc', 'desc'] as const).map((direction) =>
    parseStatement(fileName, includeFragments(text, direction), `${fileName}_${direction}`),
  );
}

/** Parses a statement and its head. @param name default: the file name */
export function parseStatement(fileName: string, sql: string, name = fileName): Statement {
  const head = parseHead(fileName, sql);
  if (head.name !== fileName)
    throw new Error(`${fileName}.sql: name in the head must be ${fileName}, got ${head.name}`);
  const parameters = placeholders(sql);
  const own = parseMeanings(fileName, head.params);
  const unused = [...own.keys()].filter((name) => !parameters.includes(name));
  if (unused.length > 0) throw new Error(`${fileName}.sql: the statement has no parameter ${unused.join(', ')}`);
  const unexplained = parameters.filter((name) => !own.has(name) && !Object.hasOwn(parameterMeanings, name));
  if (unexplained.length > 0)
    throw new Error(
      `${fileName}.sql: neither the header comment nor parameter-meanings.ts explains ${unexplained.join(', ')}`,
    );
  return {
    name,
    serves: head.serves.split(/,\s*/),
    // names the statement in the database's query log
    sql: `${sql.replace(/^--.*\n/gm, '').trimEnd()}\n/* ${name} */`,
    parameters,
    ownMeanings: own,
    budget: parseBudget(fileName, head.budget),
  };
}

type Head = Record<(typeof headFields)[number], string> & { readonly params?: string };

function parseHead(fileName: string, sql: string): Head {
  const fields: Record<string, string> = {};
  let last = '';
  for (const line of sql.split('\n')) {
    if (!line.startsWith('--')) break;
    const [, name, value = ''] = /^-- (\w+):\s*(.*)$/.exec(line) ?? [];
    if (name === undefined) fields[last] += ` ${line.slice(2).trim()}`;
    else {
      last = name;
      fields[last] = value.trim();
    }
  }
  const missing = headFields.filter((name) => !fields[name]);
  if (missing.length > 0) throw new Error(`${fileName}.sql: the head lacks ${missing.join(', ')}`);
  return fields as Head;
}

function parseMeanings(fileName: string, params: string | undefined): ReadonlyMap<string, string> {
  const parts = params?.split('|') ?? [];
  return new Map(
    parts.map((part) => {
      const [, name, meaning] = /^(\w+): (.*)$/.exec(part.trim()) ?? [];
      if (name !== undefined && meaning !== undefined) return [name, meaning];
      throw new Error(`${fileName}.sql: params must be "<name>: <meaning> | …", got "${part.trim()}"`);
    }),
  );
}

export const getMeaning = ({ ownMeanings }: Statement, parameter: string): string =>
  ownMeanings?.get(parameter) ?? (parameterMeanings as Readonly<Record<string, string>>)[parameter] ?? '';

export function placeholders(sql: string): string[] {
  const tokens = [...tokenize(sql)];
  const names = tokens.flatMap(({ kind, text }, i) =>
    kind === 'word' && tokens[i - 1]?.text === '{' && tokens[i + 1]?.text === ':' ? [text] : [],
  );
  return [...new Set(names)];
}

/** Parameters of the fragment `visible` (blocks that readers may see). */
export const snapshotNames = ['backfilled_before', 'follow_from', 'finalized', 'head'] as const;

function parseBudget(fileName: string, text: string): Budget {
  const [, seconds, mebibytes, rows, resultMebibytes, first] =
    /^([\d.]+) s, (\d+) MiB, ([\d_]+) rows?(?: of (\d+) MiB)?(, first)?$/.exec(text) ?? [];
  if (rows === undefined)
    throw new Error(`${fileName}.sql: budget must be "<n> s, <n> MiB, <n> rows [of <n> MiB]", got "${text}"`);
  return {
    maxSeconds: Number(seconds),
    maxMemoryBytes: Number(mebibytes) * 2 ** 20,
    maxResultRows: Number(rows.replaceAll('_', '')),
    ...(resultMebibytes === undefined ? {} : { maxResultBytes: Number(resultMebibytes) * 2 ** 20 }),
    ...(first === undefined ? {} : { isHighPriority: true }),
  };
}
