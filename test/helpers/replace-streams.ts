import type { Database } from '#sql/client.ts';
import type { Statement } from '#sql/compile/statements.ts';

/** Makes streams that a client can cancel run another statement. @returns a function that ends this */
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
