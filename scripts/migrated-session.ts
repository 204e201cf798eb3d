/** Session of an embedded ClickHouse whose database has the schema of all migrations, and no rows. */
import { Session } from 'chdb';
import { loadMigrations } from '../sql/compile/migrations.ts';

export const migratedDatabase = 'described';

/** Runs `work` in a session, then deletes the session. */
export function withMigratedSession<T>(work: (session: Session) => T): T {
  const session = new Session();
  try {
    session.query(`CREATE DATABASE ${migratedDatabase}`);
    session.query(`USE ${migratedDatabase}`);
    for (const { statements } of loadMigrations()) for (const sql of statements) session.query(sql);
    return work(session);
  } finally {
    session.cleanup();
  }
}
