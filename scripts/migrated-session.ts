/** A session of the engine whose database has the schema of all migrations, and no rows. */
import { Session } from 'chdb';
import { loadMigrations } from '../sql/compile/migrations.ts';

/** The session's current database. */
export const migratedDatabase = 'described';

/** Runs work in the session, then removes it. */
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
