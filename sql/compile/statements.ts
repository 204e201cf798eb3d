/**
 * Loads the statements under sql/queries by name. Each file has a machine-readable head:
 *
 *   -- name:    history_by_address
 *   -- serves:  listAccountTransactions
 *   -- params:  address String 40 hex digits | limit UInt32 1..201
 *   -- returns: one row per transaction, newest first
 *   -- reads:   address_roles by its key
 *   -- budget:  5 s, 512 MiB, 10_001 rows
 *
 * `serves` lists the routes and commands that use the statement. The budget is the limit of time, memory and result
 * rows. It may end with `, first`: high priority, because every request waits for the statement. A head with
 * `-- orders:  asc, desc` defines two statements, `name_asc` and `name_desc`.
 */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { StatementName } from '../statements.gen.ts';
import { findSqlFiles, includeFragments } from './load-sql.ts';
import { tokenize } from './tokenize.ts';

export interface Statement {
  readonly name: string;
  readonly serves: readonly string[];
  readonly sql: string;
  readonly parameters: readonly string[];
  readonly budget: Budget;
}

interface Budget {
  readonly maxSeconds: number;
  readonly maxMemoryBytes: number;
  readonly maxResultRows: number;
  readonly isHighPriority?: boolean;
}

const queriesDir = join(import.meta.dirname, '../queries');
const headFields = ['name', 'serves', 'params', 'returns', 'reads', 'budget'] as const;

export type Statements = ReadonlyMap<string, Statement>;

/** Loads all statements of a folder by name. @throws Error when a head is incomplete or contradicts the statement */
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

/** Returns the statement with a given name. @throws Error if there is no such statement (a bug) */
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

/** Parses a statement and its head. @param name default: the file name, which the head must repeat */
export function parseStatement(fileName: string, sql: string, name = fileName): Statement {
  const head = parseHead(fileName, sql);
  if (head.name !== fileName)
    throw new Error(`${fileName}.sql: name in the head must be ${fileName}, got ${head.name}`);
  const parameters = placeholders(sql);
  const declared =
    head.params === 'none'
      ? []
      : expandSnapshot(head.params.split('|').map((part) => part.trim().split(/\s+/)[0] ?? ''));
  const difference = [
    ...parameters.filter((p) => !declared.includes(p)),
    ...declared.filter((p) => !parameters.includes(p)),
  ];
  if (difference.length > 0)
    throw new Error(`${fileName}.sql: parameters of head and statement differ: ${difference.join(', ')}`);
  return {
    name,
    serves: head.serves.split(/,\s*/),
    // the comment shows the statement's name in the database's query log
    sql: `${sql.replace(/^--.*\n/gm, '').trimEnd()}\n/* ${name} */`,
    parameters,
    budget: parseBudget(fileName, head.budget),
  };
}

function parseHead(fileName: string, sql: string): Record<(typeof headFields)[number], string> {
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
  return fields as Record<(typeof headFields)[number], string>;
}

export function placeholders(sql: string): string[] {
  const tokens = [...tokenize(sql)];
  const names = tokens.flatMap(({ kind, text }, i) =>
    kind === 'word' && tokens[i - 1]?.text === '{' && tokens[i + 1]?.text === ':' ? [text] : [],
  );
  return [...new Set(names)];
}

/** Parameters of the fragment `visible`: which blocks a reader may see. A head lists them as `snapshot`. */
export const snapshotNames = ['backfilled_before', 'follow_from', 'finalized', 'head'] as const;

function expandSnapshot(names: string[]): string[] {
  return names.flatMap((name) => (name === 'snapshot' ? [...snapshotNames] : [name]));
}

function parseBudget(fileName: string, text: string): Budget {
  const [, seconds, mebibytes, rows, first] = /^([\d.]+) s, (\d+) MiB, ([\d_]+) rows?(, first)?$/.exec(text) ?? [];
  if (rows === undefined) throw new Error(`${fileName}.sql: budget must be "<n> s, <n> MiB, <n> rows", got "${text}"`);
  return {
    maxSeconds: Number(seconds),
    maxMemoryBytes: Number(mebibytes) * 2 ** 20,
    maxResultRows: Number(rows.replaceAll('_', '')),
    ...(first === undefined ? {} : { isHighPriority: true }),
  };
}
