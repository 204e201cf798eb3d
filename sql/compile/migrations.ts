import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { findSqlFiles, includeFragments } from './load-sql.ts';
import { splitStatements } from './tokenize.ts';

export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly checksum: string;
  /**
   * Whether the migration drops, renames or changes columns or tables that older program versions read. False if its
   * head has the line `-- readers: unaffected`: older versions read the same values.
   */
  readonly isDestructive: boolean;
  readonly statements: readonly string[];
}

const migrationsDir = join(import.meta.dirname, '../migrations');

/** @throws Error unless the files are numbered 1, 2, 3 … */
export function loadMigrations(): Migration[] {
  return findSqlFiles(migrationsDir).map((path, index) => {
    const name = basename(path, '.sql');
    const sql = includeFragments(readFileSync(path, 'utf8'));
    if (Number(name.slice(0, 4)) !== index + 1) throw new Error(`migration ${name} must have number ${index + 1}`);
    const checksum = createHash('sha256').update(sql).digest('hex');
    const statements = splitStatements(sql);
    const keepsReaders = /^-- readers: unaffected$/m.test(sql);
    const takesAway = !keepsReaders && statements.some(isDestructive);
    return { number: index + 1, name, checksum, isDestructive: takesAway, statements };
  });
}

/** Loads the statements that create the final schema at once. */
export function loadSchema(): readonly string[] {
  return splitStatements(readFileSync(join(import.meta.dirname, '../schema.gen.sql'), 'utf8'));
}

/** Dropping a materialized view is not destructive, because programs read only its target table. */
function isDestructive(statement: string): boolean {
  const lines = statement.split('\n').filter((line) => !line.trimStart().startsWith('--'));
  const text = lines.join('\n').trimStart();
  const [, dropped] = /^DROP TABLE(?: IF EXISTS)? (\w+)/.exec(text) ?? [];
  if (dropped !== undefined) return !dropped.endsWith('_mv');
  return /^(?:RENAME|EXCHANGE)\b/.test(text) || /\b(?:DROP|RENAME|MODIFY) COLUMN\b/.test(text);
}
