/**
 * Public views, which clients read by SQL (`POST /api/v1/sql`). They are in a separate database, the only one that
 * clients may read. A view reads the tables with the rights of the service, and shows only the blocks of a snapshot,
 * which each request passes as JSON in the setting log_comment.
 * @source ClickHouse docs, CREATE VIEW, SQL SECURITY
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Database } from './client.ts';
import { findSqlFiles, includeFragments } from './compile/load-sql.ts';
import { loadSchema } from './compile/migrations.ts';
import { replacePlaceholders } from './compile/placeholders.ts';
import { parseStatement } from './compile/statements.ts';

export interface PublicView {
  readonly name: string;
  readonly what: string;
  /** Filters that make queries fast. */
  readonly fast: string;
  /** True if the view lacks blocks whose internal calls are not stored. */
  readonly needsTraces: boolean;
  readonly columns: ReadonlyMap<string, string>;
  /** SELECT with the parameters of a snapshot. */
  readonly select: string;
}

/** Values that the views need. For the block numbers, see sql/conditions/visible.sql. */
export interface ViewSnapshot {
  readonly backfilled_before: number;
  readonly follow_from: number;
  readonly finalized: number;
  readonly head: number;
  readonly era_through: number;
  readonly era_blocks: number;
  /** Start of each complete day with a price, Unix seconds. `price_values`: these prices in dollars. */
  readonly price_days: readonly number[];
  readonly price_values: readonly string[];
}

/** Clients may read all databases with this prefix (engine/access/users.xml). */
const viewsPrefix = 'sql_views_';
export const viewsDatabase = (database: string) => `${viewsPrefix}${database}`;

export const snapshotSetting = (snapshot: ViewSnapshot) => ({ log_comment: JSON.stringify(snapshot) });

export const noSnapshot: ViewSnapshot = {
  ...{ backfilled_before: 0, follow_from: 0, finalized: 0, head: 0, era_through: 0, era_blocks: 1 },
  ...{ price_days: [], price_values: [] },
};

let loaded: readonly PublicView[] | undefined;

export function publicViews(): readonly PublicView[] {
  loaded ??= findSqlFiles(join(import.meta.dirname, 'views')).map((path) => parseView(basename(path, '.sql'), path));
  return loaded;
}

function parseView(name: string, path: string): PublicView {
  const text = readFileSync(path, 'utf8');
  const lines = [...text.matchAll(/^-- (\w+): +(.*)$/gm)].map(([, field = '', value = '']) => [field, value] as const);
  const find = (field: string) => lines.find(([own]) => own === field)?.[1];
  const [what, fast, base] = [find('what'), find('fast'), find('base')];
  if (find('view') !== name || !what || !fast || !base)
    throw new Error(`sql/views/${name}.sql: the header comment must have the fields view, what, fast and base`);
  const own = lines.filter(([field]) => field === 'column').map(([, value]) => splitAtBlank(value));
  return {
    name,
    what,
    fast,
    needsTraces: find('needs') === 'traces',
    columns: new Map([...base.split(/, */).flatMap((table) => [...tableComments(table)]), ...own]),
    select: includeFragments(text.replace(/^--.*\n/gm, '')).trimEnd(),
  };
}

function splitAtBlank(text: string): [string, string] {
  const at = text.indexOf(' ');
  return [text.slice(0, at), text.slice(at + 1)];
}

function tableComments(table: string): [string, string][] {
  const created = loadSchema().find((statement) =>
    new RegExp(`CREATE TABLE IF NOT EXISTS ${table}\\s`).test(statement),
  );
  const columns = [...(created ?? '').matchAll(/^ {4}`(\w+)` .*?COMMENT '((?:[^'\\]|\\.)*)'/gm)];
  return columns.map(([, name = '', comment = '']) => [name, comment.replace(/\\(.)/g, '$1')]);
}

/** Replaces the parameters of a view by values from the snapshot of the request. */
export function bindSnapshot(select: string): string {
  return replacePlaceholders(select, (name, type) => `JSONExtract(getSetting('log_comment'), '${name}', '${type}')`);
}

const storedViews = parseStatement(
  'stored_views',
  `-- name:    stored_views
-- serves:  migrate, runSql
-- params:  views: database of the public views
-- returns: one row per view, with its comment
-- reads:   system.tables
-- budget:  10 s, 64 MiB, 10_000 rows
SELECT name, comment FROM system.tables WHERE database = {views:String}`,
);

/** Creates missing views and replaces changed ones. */
export async function createPublicViews(admin: Database, database: Database): Promise<void> {
  const views = viewsDatabase(database.options.database);
  await admin.command(`CREATE DATABASE IF NOT EXISTS ${views}`);
  const stored = await database.read<{ name: string; comment: string }>(storedViews, { views });
  const comments = new Map(stored.map(({ name, comment }) => [name, comment]));
  for (const view of publicViews()) await createView(database, view, comments.get(view.name));
}

/** Creates a view, unless the comment of the stored view shows the same definition. */
export async function createView(
  database: Database,
  view: Pick<PublicView, 'name' | 'what' | 'select'>,
  comment?: string,
): Promise<void> {
  const select = bindSnapshot(view.select);
  const digest = createHash('sha256').update(select).digest('hex').slice(0, 16);
  const own = `${view.what} (definition ${digest})`;
  if (own === comment) return;
  const name = `${viewsDatabase(database.options.database)}.${view.name}`;
  const security = 'DEFINER = CURRENT_USER SQL SECURITY DEFINER';
  const text = `CREATE OR REPLACE VIEW ${name} ${security} AS ${select} COMMENT '${own.replace(/[\\']/g, '\\$&')}'`;
  // creating a view runs a part of it, which needs a snapshot
  await database.command(text, snapshotSetting(noSnapshot));
}
