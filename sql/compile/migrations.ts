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
    return { number: index + 1, name, checksum, statements: splitStatements(sql) };
  });
}
