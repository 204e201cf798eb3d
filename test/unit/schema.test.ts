import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import test from 'ava';
import { routes } from '#api/routes/index.ts';
import { findSqlFiles } from '#sql/compile/load-sql.ts';
import { loadMigrations } from '#sql/compile/migrations.ts';
import { loadStatements } from '#sql/compile/statements.ts';

const root = join(import.meta.dirname, '../../sql');
/** The statement compiler inserts these files into SQL. */
const ownTexts = ['fence', 'finalized-form'].map((name) => readFileSync(join(root, `compile/${name}.ts`), 'utf8'));

test('every statement has a head that matches its text, and serves an existing consumer', (t) => {
  const statements = loadStatements();
  const checks = loadStatements(join(root, 'checks'));
  t.true(statements.size > 30 && checks.size >= 14);
  const served = new Set([
    ...routes.map((route) => route.id),
    'pipeline',
    'rollups',
    'rewind',
    'repair',
    'rederive',
    'verify',
    'every route',
    'api',
    'migrate',
  ]);
  for (const statement of statements.values()) {
    for (const name of statement.serves)
      t.true(served.has(name) || name.startsWith('compatible '), `${statement.name} serves ${name}`);
  }
});

test('every statement is called by its full name', (t) => {
  const folders = ['api', 'pipeline', 'semantic', 'sql', 'commands'];
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, '..', folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.gen.ts'))
      .map((file) => readFileSync(join(root, '..', folder, file), 'utf8')),
  );
  const texts = files.join('\n');
  for (const name of loadStatements().keys()) t.true(texts.includes(`'${name}'`), name);
});

test('no line of a statement is longer than a screen', (t) => {
  for (const file of findSqlFiles(root).filter((path) => !/migrations|\.gen\.sql/.test(path)))
    for (const line of readFileSync(file, 'utf8').split('\n')) t.true(line.length <= 160, `${file}: ${line}`);
});

test('every column and table of a migration has a comment', (t) => {
  for (const migration of loadMigrations()) {
    for (const statement of migration.statements.filter((text) => /CREATE TABLE/.test(text))) {
      t.regex(statement, /\nCOMMENT '/, `${migration.name}: a table has no comment`);
      const columns = statement.slice(statement.indexOf('\n(\n'), statement.indexOf('\n)\n')).split('\n').slice(2);
      for (const column of columns) t.regex(column, /COMMENT '.+'/, `${migration.name}: ${column.trim()}`);
    }
  }
});

test('released migrations are never edited', (t) => {
  const locked = readFileSync(join(root, 'migrations', 'CHECKSUMS'), 'utf8')
    .trim()
    .split('\n');
  t.deepEqual(
    loadMigrations().map(({ name, checksum }) => `${checksum.slice(0, 32)}  ${name}`),
    locked,
  );
});

test('migrations only add, or are listed as removing what earlier programs read', (t) => {
  const parting = loadMigrations().filter(({ isDestructive }) => isDestructive);
  t.deepEqual(
    parting.map(({ number }) => number),
    [9, 27, 39],
  );
});

test('every fragment is used', (t) => {
  const texts = [...findSqlFiles(root).map((path) => readFileSync(path, 'utf8')), ...ownTexts].join('\n');
  const forOthers = new Set(['shape_id.sql']); // users insert shapes by SQL, see docs/semantic.md
  const paths = ['columns', 'conditions', 'relations'].flatMap((dir) => findSqlFiles(join(root, dir)));
  for (const path of paths.filter((each) => !forOthers.has(basename(each))))
    t.regex(texts, new RegExp(`\\{\\{${basename(path, '.sql')}\\b`), path);
});

test('every SQL file starts with a description', (t) => {
  for (const path of findSqlFiles(root)) t.true(readFileSync(path, 'utf8').startsWith('-- '), path);
});

test('rule 1: every table that a block is written to, directly or by a view, is keyed by content', (t) => {
  const keptAsEvents = new Set(['reorgs', 'audits']);
  const tables = loadMigrations().flatMap((migration) =>
    migration.statements.filter((text) => /CREATE TABLE/.test(text)),
  );
  t.true(tables.length > 12);
  for (const table of tables) {
    const name = /CREATE TABLE (?:IF NOT EXISTS )?(\w+)/.exec(table)![1]!;
    if (!keptAsEvents.has(name)) t.regex(table, /ENGINE = ReplacingMergeTree\b/, name);
  }
});
