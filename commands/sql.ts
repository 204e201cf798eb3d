import { join } from 'node:path';
import { query } from 'chdb';
import { bindGiven, quoteString } from '#engine/bind-parameters.ts';
import { callsOnCluster, readOnCluster } from '#sql/compile/cluster.ts';
import { getMeaning, loadStatements, placeholders, type Statement, type Statements } from '#sql/compile/statements.ts';
import { CommandError } from './explain-error.ts';

export interface SqlOptions {
  readonly set: readonly string[];
  readonly cluster?: string | undefined;
}

export const allStatements = (): Statements =>
  new Map([...loadStatements(), ...loadStatements(join(import.meta.dirname, '../sql/checks'))]);

export function runSql(name: string | undefined, options: SqlOptions): void {
  const statements = allStatements();
  if (name !== undefined) console.log(toText(statements, name, options));
  else for (const { name, serves } of statements.values()) console.log(`${name.padEnd(36)} ${serves.join(', ')}`);
}

/**
 * Returns a formatted SQL statement with the given parameters; on a cluster, possibly several.
 * @throws CommandError for an unknown statement or parameter
 */
export function toText(statements: Statements, name: string, { set, cluster }: SqlOptions): string {
  const statement = statements.get(name);
  if (!statement) throw new CommandError(`there is no SQL statement named ${name}${similarTo(statements, name)}`, 2);
  const values = new Map(set.map((pair) => readPair(pair, name, statement.parameters)));
  const calls = cluster === undefined ? [{ sql: statement.sql, values }] : onCluster(statement.sql, values, cluster);
  return calls
    .map((call) => bindGiven(call.sql, call.values))
    .map((sql) => head(statement, sql) + formatted(sql))
    .join('\n');
}

function onCluster(sql: string, values: ReadonlyMap<string, string>, cluster: string) {
  if (/^\s*(SELECT|WITH)\b/i.test(sql)) return [{ sql: readOnCluster(sql, cluster), values }];
  return callsOnCluster(sql, Object.fromEntries(values), cluster).map((call) => ({
    sql: call.sql,
    values: new Map(Object.entries(call.parameters).map(([name, value]) => [name, String(value)])),
  }));
}

/** Formats SQL by formatQuery, which removes comments. @source ClickHouse docs */
const formatted = (sql: string) => `${query(`SELECT formatQuery(${quoteString(sql)})`, 'TSVRaw').trimEnd()};\n`;

function head(statement: Statement, sql: string): string {
  const { name } = statement;
  const missing = placeholders(sql);
  if (missing.length === 0) return `-- ${name}\n`;
  const lines = missing.map((parameter) => `--   ${parameter}: ${getMeaning(statement, parameter)}\n`);
  return `-- ${name}; unset parameters:\n${lines.join('')}`;
}

/** Splits `name=value`. Escapes backslashes for ClickHouse's HTTP interface. */
function readPair(pair: string, statement: string, parameters: readonly string[]): [string, string] {
  const [, name = '', value] = /^(\w+)=(.*)$/s.exec(pair) ?? [];
  if (value === undefined) throw new CommandError(`--set must be name=value, got ${pair}`, 2);
  if (!parameters.includes(name))
    throw new CommandError(
      `${statement} has no parameter ${name}; its parameters: ${parameters.join(', ') || 'none'}`,
      2,
    );
  return [name, value.replaceAll('\\', '\\\\')];
}

function similarTo(statements: Statements, name: string): string {
  const words = name.split('_').filter((word) => word.length > 2);
  const similar = [...statements.keys()].filter((each) => words.some((word) => each.includes(word)));
  return similar.length === 0 ? '' : `; similar names: ${similar.slice(0, 10).join(', ')}`;
}
