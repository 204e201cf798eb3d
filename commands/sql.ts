/** `cordscan sql`: statements as the database gets them, to be read, and run by hand. */
import { join } from 'node:path';
import { query } from 'chdb';
import { bindGiven, quoteString } from '#engine/bind-parameters.ts';
import { callsOnCluster, readOnCluster } from '#sql/compile/cluster.ts';
import { loadStatements, placeholders, type Statements } from '#sql/compile/statements.ts';

export interface SqlOptions {
  /** `name=value` each. */
  readonly set: readonly string[];
  readonly cluster?: string | undefined;
}

/** What was asked for is not there. */
class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Every statement of the program, those of `verify` too. */
export const allStatements = (): Statements =>
  new Map([...loadStatements(), ...loadStatements(join(import.meta.dirname, '../sql/checks'))]);

export function runSql(name: string | undefined, options: SqlOptions): void {
  const statements = allStatements();
  if (name !== undefined) console.log(textOf(statements, name, options));
  else for (const { name, serves } of statements.values()) console.log(`${name.padEnd(36)} ${serves.join(', ')}`);
}

/**
 * The final text: fragments put in, values in the places of parameters as far as they are given, formatted by the engine's
 * own formatter. On a cluster it may be several statements.
 * @throws UsageError for a name that is none, or a value that is not taken
 */
export function textOf(statements: Statements, name: string, { set, cluster }: SqlOptions): string {
  const statement = statements.get(name);
  if (!statement) throw new UsageError(`there is no statement ${name}${similarTo(statements, name)}`);
  const values = new Map(set.map((pair) => readPair(pair, name, statement.parameters)));
  const calls = cluster === undefined ? [{ sql: statement.sql, values }] : onCluster(statement.sql, values, cluster);
  return calls
    .map((call) => bindGiven(call.sql, call.values))
    .map((sql) => head(name, sql) + formatted(sql))
    .join('\n');
}

function onCluster(sql: string, values: ReadonlyMap<string, string>, cluster: string) {
  if (/^\s*(SELECT|WITH)\b/i.test(sql)) return [{ sql: readOnCluster(sql, cluster), values }];
  return callsOnCluster(sql, Object.fromEntries(values), cluster).map((call) => ({
    sql: call.sql,
    values: new Map(Object.entries(call.parameters).map(([name, value]) => [name, String(value)])),
  }));
}

/** @source ClickHouse docs, formatQuery; it leaves comments out */
const formatted = (sql: string) => `${query(`SELECT formatQuery(${quoteString(sql)})`, 'TSVRaw').trimEnd()};\n`;

function head(name: string, sql: string): string {
  const missing = placeholders(sql).join(', ');
  return missing === '' ? `-- ${name}\n` : `-- ${name}; to be set: ${missing}\n`;
}

/** @returns name and value as the HTTP interface takes it, where a backslash begins an escape */
function readPair(pair: string, statement: string, parameters: readonly string[]): [string, string] {
  const [, name = '', value] = /^(\w+)=(.*)$/s.exec(pair) ?? [];
  if (value === undefined) throw new UsageError(`--set takes name=value, not ${pair}`);
  if (!parameters.includes(name))
    throw new UsageError(`${statement} has no parameter ${name}; it has ${parameters.join(', ') || 'none'}`);
  return [name, value.replaceAll('\\', '\\\\')];
}

function similarTo(statements: Statements, name: string): string {
  const words = name.split('_').filter((word) => word.length > 2);
  const similar = [...statements.keys()].filter((each) => words.some((word) => each.includes(word)));
  return similar.length === 0 ? '' : `; there are ${similar.slice(0, 10).join(', ')}`;
}
