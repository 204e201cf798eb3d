/**
 * Reads .sql files and puts shared fragments in: `{{name}}` or `{{name(argument)}}`, where a fragment says `@source`.
 * An argument may hold fragments itself.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const fragmentsDir = join(import.meta.dirname, 'fragments');

/** Text of a file with all fragments put in. */
export function loadSql(path: string): string {
  return includeFragments(readFileSync(path, 'utf8'));
}

/** @throws Error when a `{{` has no end, or names no fragment */
export function includeFragments(sql: string): string {
  let text = '';
  let at = 0;
  for (let start = sql.indexOf('{{'); start !== -1; start = sql.indexOf('{{', at)) {
    const end = endOfInclusion(sql, start);
    const [, name, argument] = /^(\w+)(?:\(([\s\S]*)\))?$/.exec(sql.slice(start + 2, end - 2)) ?? [];
    if (!name) throw new Error(`not a fragment: ${sql.slice(start, start + 60)}`);
    text += sql.slice(at, start) + readFragment(name, argument);
    at = end;
  }
  return text + sql.slice(at);
}

function readFragment(name: string, argument: string | undefined): string {
  const body = readFileSync(join(fragmentsDir, `${name}.sql`), 'utf8')
    .replace(/^--.*\n/gm, '')
    .trimEnd();
  return includeFragments(argument === undefined ? body : body.replaceAll('@source', includeFragments(argument)));
}

/** Index behind the `}}` that belongs to the `{{` at `start`; parameters such as `{name:Type}` lie within. */
function endOfInclusion(sql: string, start: number): number {
  let depth = 0;
  for (let i = start; i < sql.length; i++) {
    if (sql[i] === '{') depth++;
    else if (sql[i] === '}' && --depth === 0) return i + 1;
  }
  throw new Error(`a fragment has no end: ${sql.slice(start, start + 60)}`);
}

/** Paths of all .sql files under a directory, sorted. */
export function findSqlFiles(dir: string): string[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => join(dir, name));
}
