/**
 * Replaces `{{name}}` and `{{name(argument)}}` in SQL by fragments. The argument replaces `@source` in the fragment.
 * Statements with two sort directions use `{{behind(columns)}}` (rows after a position) and `{{in_order(columns)}}`
 * (sort order).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const fragmentDirs = ['columns', 'conditions', 'relations'].map((dir) => join(import.meta.dirname, '..', dir));
const fragments = new Map(fragmentDirs.flatMap(findSqlFiles).map((path) => [basename(path, '.sql'), path]));

export type Direction = 'asc' | 'desc';

/** @throws Error for a `{{` without end, an unknown fragment, or a missing sort direction */
export function includeFragments(sql: string, direction?: Direction): string {
  let text = '';
  let at = 0;
  for (let start = sql.indexOf('{{'); start !== -1; start = sql.indexOf('{{', at)) {
    const end = endOfInclusion(sql, start);
    const [, name, argument] = /^(\w+)(?:\(([\s\S]*)\))?$/.exec(sql.slice(start + 2, end - 2)) ?? [];
    if (!name) throw new Error(`not a valid SQL fragment: ${sql.slice(start, start + 60)}`);
    text += sql.slice(at, start) + (directed(name, argument, direction) ?? readFragment(name, argument, direction));
    at = end;
  }
  return text + sql.slice(at);
}

function directed(name: string, columns: string | undefined, direction: Direction | undefined): string | undefined {
  if (name !== 'behind' && name !== 'in_order') return undefined;
  const names = columns?.split(',').map((column) => column.trim()) ?? [];
  if (!direction || names.length === 0)
    throw new Error(
      `{{${name}}} lacks column names or a sort direction: write {{${name}(columns)}}, and add the line "-- orders: asc, desc" to the header of the SQL file`,
    );
  if (name === 'in_order') return names.map((column) => (direction === 'asc' ? column : `${column} DESC`)).join(', ');
  const position = ['{at_block:UInt64}', '{at_index:Int64}', '{at_part:Int64}'].slice(0, names.length).join(', ');
  return direction === 'asc'
    ? `block_number BETWEEN greatest({from_block:UInt64}, {at_block:UInt64}) AND {to_block:UInt64}
    AND (${names.join(', ')}) > (${position})`
    : `block_number BETWEEN {from_block:UInt64} AND least({to_block:UInt64}, {at_block:UInt64})
    AND (${names.join(', ')}) < (${position})`;
}

function readFragment(name: string, argument: string | undefined, direction: Direction | undefined): string {
  const path = fragments.get(name);
  if (!path) throw new Error(`unknown fragment ${name}`);
  const body = readFileSync(path, 'utf8')
    .replace(/^--.*\n/gm, '')
    .trimEnd();
  const given = argument === undefined ? body : body.replaceAll('@source', includeFragments(argument, direction));
  return includeFragments(given, direction);
}

/** Counts brackets, because an argument may contain parameters like `{name:Type}`. */
function endOfInclusion(sql: string, start: number): number {
  let depth = 0;
  for (let i = start; i < sql.length; i++) {
    if (sql[i] === '{') depth++;
    else if (sql[i] === '}' && --depth === 0) return i + 1;
  }
  throw new Error(`a fragment has no closing }}: ${sql.slice(start, start + 60)}`);
}

export function findSqlFiles(dir: string): string[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => join(dir, name));
}
