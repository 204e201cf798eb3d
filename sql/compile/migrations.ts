/** Migrations: takes the files under sql/migrations, gives their statements with fragments in; the pass of a cluster alone follows. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { findSqlFiles, includeFragments } from './load-sql.ts';
import { splitStatements } from './tokenize.ts';

export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly checksum: string;
  /** It drops or renames what earlier programs read: they must not go on over it. Others only add, or empty rollups and lower their marks. */
  readonly takesAway: boolean;
  readonly statements: readonly string[];
}

const migrationsDir = join(import.meta.dirname, '../migrations');

/** All migrations in order. @throws Error when numbers do not run from 1 without a hole */
export function loadMigrations(): Migration[] {
  return findSqlFiles(migrationsDir).map((path, index) => {
    const name = basename(path, '.sql');
    const sql = includeFragments(readFileSync(path, 'utf8'));
    if (Number(name.slice(0, 4)) !== index + 1) throw new Error(`migration ${name} is not number ${index + 1}`);
    const checksum = createHash('sha256').update(sql).digest('hex');
    const statements = splitStatements(sql);
    return { number: index + 1, name, checksum, takesAway: statements.some(takesAway), statements };
  });
}

/** Views may go: nobody reads them. */
function takesAway(statement: string): boolean {
  const lines = statement.split('\n').filter((line) => !line.trimStart().startsWith('--'));
  const text = lines.join('\n').trimStart();
  const [, dropped] = /^DROP TABLE(?: IF EXISTS)? (\w+)/.exec(text) ?? [];
  if (dropped !== undefined) return !dropped.endsWith('_mv');
  return /^(?:RENAME|EXCHANGE)\b/.test(text) || /\b(?:DROP|RENAME|MODIFY) COLUMN\b/.test(text);
}
