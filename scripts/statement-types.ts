/**
 * Generates types for parameters and rows of SQL statements. The engine describes the statements on an empty database.
 */
import type { Session } from 'chdb';
import { bindParameters } from '../engine/bind-parameters.ts';
import { withConditions } from '../sql/compile/conditions.ts';
import { loadStatements, type Statement, snapshotNames } from '../sql/compile/statements.ts';

type Field = readonly [name: string, type: string];

/** Returns the text of sql/statements.gen.ts. */
export function statementTypes(session: Session): string {
  const statements = [...loadStatements().values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  const reading = statements.filter(returnsRows).map((one) => [one.name, readingType(session, one)] as const);
  const writing = statements.filter((one) => !returnsRows(one)).map((one) => [one.name, writingType(one)] as const);
  return writeModule(new Map(reading), new Map(writing));
}

function writeModule(reading: ReadonlyMap<string, string>, writing: ReadonlyMap<string, string>): string {
  const used = new Set([...reading.values(), ...writing.values(), 'UInt64'].join().match(/\b[A-Z]\w+/g));
  used.delete('Snapshot');
  // statements in both sort directions share one type, so that readers handle both alike
  const read = [...reading].map(([name, type]): Field => {
    const twin = name.replace(/_desc$/, '_asc');
    return [name, twin !== name && reading.get(twin) === type ? `Reading['${twin}']` : type];
  });
  return `/** Types of the statements under sql/queries. Written by \`npm run docs\`. */
import type { ${[...used].sort().join(', ')} } from './column-types.ts';

/** Parameters that select a snapshot of the chain, for the SQL fragment \`visible\`. */
export interface Snapshot ${writeObject(snapshotNames.map((name) => [name, 'UInt64']))}

/** Statements that return rows. */
export interface Reading ${writeLines(read)}

/** Statements that return no rows. */
export interface Writing ${writeLines([...writing])}

export type StatementName = keyof Reading | keyof Writing;
`;
}

const returnsRows = ({ sql }: Statement) => /^\s*(SELECT|WITH)\b/.test(sql);

function readingType(session: Session, statement: Statement): string {
  const conditions = [...statement.sql.matchAll(/\/\*\?(\w+):\*\//g)].map(([, name]) => `'${name}'`);
  const asks = conditions.length === 0 ? '' : ` asks: ${[...new Set(conditions)].join(' | ')};`;
  return `{ parameters: ${getParameters(statement)};${asks} row: ${writeObject(readColumns(session, statement))} }`;
}

const writingType = (statement: Statement) => `{ parameters: ${getParameters(statement)} }`;

/**
 * Optional: parameters of optional conditions, and `claim_marker`, which the database client adds. A parameter with two
 * types gets a type that no value has.
 */
function getParameters(statement: Statement): string {
  const always = new Set(withConditions(statement, []).parameters);
  const isRequired = (name: string) => always.has(name) && name !== 'claim_marker';
  const all = [...statement.sql.matchAll(/\{(\w+):([^{}]+)\}/g)].map(
    ([, name = '', type = '']): Field => [isRequired(name) ? name : `${name}?`, getType(type)],
  );
  const isOfSnapshot = snapshotNames.every((name) => always.has(name));
  const own = all
    .filter(([name]) => !isOfSnapshot || !snapshotNames.some((one) => one === name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  if (!isOfSnapshot) return writeObject(own);
  return own.length === 0 ? 'Snapshot' : `Snapshot & ${writeObject(own)}`;
}

/** Parameters get any values, because no column's type depends on them. */
function readColumns(session: Session, { sql, parameters }: Statement): Field[] {
  const values = new Map(parameters.map((name) => [name, anyValue(sql, name)] as const));
  const described = session.query(`DESCRIBE (${bindParameters(sql, values)})`, 'JSONCompactColumns');
  const [names = [], types = []] = JSON.parse(described) as string[][];
  return names.map((name, i) => [name, getType(types[i] ?? '')]);
}

/** Values of Identifier parameters that don't name a column. */
const anyIdentifiers: Readonly<Record<string, string>> = {
  table: 'blocks',
  known: 'account_balances',
  rank: 'row_count',
};

function anyValue(sql: string, name: string): string {
  if (sql.includes(`{${name}:Identifier}`)) return anyIdentifiers[name] ?? 'block_number';
  return anyValues.find(([type]) => sql.includes(`{${name}:${type}`))?.[1] ?? '1';
}

/** No value is empty or 0, because some statements divide by parameters. */
const anyValues: readonly Field[] = [
  ['Array(String)', "['1']"],
  ['Array(', '[1]'],
];

function getType(type: string): string {
  const [, name = '', inner = ''] = /^(\w+)(?:\((.*)\))?$/s.exec(type) ?? [];
  if (type === 'Array(BFloat16)') return 'Vector';
  if (name === 'Array') return `List<${getType(inner)}>`;
  if (name === 'Nullable') return `Nullable<${getType(inner)}>`;
  if (name === 'LowCardinality') return getType(inner);
  if (name === 'Enum8') return `Enum<${inner.replace(/ = -?\d+/g, '').replaceAll(', ', ' | ')}>`;
  return name === 'String' ? 'Text' : name;
}

function writeObject(fields: readonly Field[]): string {
  const texts = new Set(fields.map(([name, type]) => `${name}: ${type}`));
  return texts.size === 0 ? '{}' : `{ ${[...texts].join('; ')} }`;
}

const writeLines = (fields: readonly Field[]) =>
  `{\n${fields.map(([name, type]) => `  ${name}: ${type};\n`).join('')}}`;
