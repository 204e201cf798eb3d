/** Reads .sql files and puts shared fragments in: `{{name}}` or `{{name(argument)}}`, where a fragment says `@source`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const fragmentsDir = join(import.meta.dirname, 'fragments');

/** Text of a file with all fragments put in. */
export function loadSql(path: string): string {
  return includeFragments(readFileSync(path, 'utf8'));
}

export function includeFragments(sql: string): string {
  return sql.replace(
    /\{\{(\w+)(?:\(((?:[^{}]|\{\{\w+\}\}|\{\w+:\w+\})*)\))?\}\}/g,
    (_, name: string, argument: string | undefined) => {
      const text = readFileSync(join(fragmentsDir, `${name}.sql`), 'utf8')
        .replace(/^--.*\n/gm, '')
        .trimEnd();
      return includeFragments(argument === undefined ? text : text.replaceAll('@source', argument));
    },
  );
}

/** Paths of all .sql files under a directory, sorted. */
export function findSqlFiles(dir: string): string[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => join(dir, name));
}
