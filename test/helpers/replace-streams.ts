import type { Database } from '#sql/client.ts';
import type { Statement } from '#sql/compile/statements.ts';

/** Replaces the statement of cancellable streams by another one. @returns a function that undoes this */
export function replaceStreams(database: Database, statement: Statement): () => void {
  const { cancelledBy } = database;
  database.cancelledBy = (signal) => {
    const own = cancelledBy.call(database, signal);
    const stream = own.stream.bind(own, statement);
    return Object.assign(own, { stream: (_: unknown, ...given: Parameters<typeof stream>) => stream(...given) });
  };
  return () => {
    database.cancelledBy = cancelledBy;
  };
}
