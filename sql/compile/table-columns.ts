import { known } from '#runtime/known.ts';
import { loadSchema } from './migrations.ts';

let columns: ReadonlyMap<string, readonly string[]> | undefined;

/**
 * Returns the columns of a table in the order in which this program writes them; undefined: not in the schema. Inserts
 * name them, because a newer program may have added columns.
 */
export function getColumns(table: string): readonly string[] | undefined {
  columns ??= new Map(loadSchema().flatMap(readColumns));
  return columns.get(table);
}

/** Returns a list of columns for an INSERT, with parentheses. */
export const listColumns = (names: readonly string[]): string => `(${names.map((name) => `\`${name}\``).join(', ')})`;

function readColumns(statement: string): [string, string[]][] {
  const table = /^CREATE TABLE IF NOT EXISTS (\w+)$/m.exec(statement)?.[1];
  if (table === undefined) return [];
  const names = [...statement.matchAll(/^ {4}`(\w+)` (?!.*\b(?:MATERIALIZED|ALIAS|EPHEMERAL) )/gm)];
  return [[table, names.map(([, name]) => known(name, 'the name of a column'))]];
}
