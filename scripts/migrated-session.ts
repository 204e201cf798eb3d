/** Session of an embedded ClickHouse with the schema of all migrations and no rows. */
import { Session } from 'chdb';
import { loadMigrations } from '../sql/compile/migrations.ts';
import { bindSnapshot, noSnapshot, publicViews, snapshotSetting } from '../sql/public-views.ts';

export const migratedDatabase = 'described';
/** Database with the public views. */
export const describedViews = 'sql_views_described';

export function withMigratedSession<T>(work: (session: Session) => T): T {
  const session = new Session();
  try {
    session.query(`CREATE DATABASE ${migratedDatabase}`);
    session.query(`USE ${migratedDatabase}`);
    for (const { statements } of loadMigrations()) for (const sql of statements) session.query(sql);
    session.query(`CREATE DATABASE ${describedViews}`);
    session.query(`SET log_comment = '${snapshotSetting(noSnapshot).log_comment}'`);
    for (const { name, select } of publicViews())
      session.query(`CREATE VIEW ${describedViews}.${name} AS ${bindSnapshot(select)}`);
    return work(session);
  } finally {
    session.cleanup();
  }
}
