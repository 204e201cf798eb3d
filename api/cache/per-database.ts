import type { Database } from '#sql/client.ts';

/** Returns a function that makes one value per database, so that modules need no dependency for their own cache. */
export function perDatabase<V extends object>(make: (database: Database) => V): (database: Database) => V {
  const made = new WeakMap<Database, V>();
  return (database) => {
    const known = made.get(database);
    if (known) return known;
    const value = make(database);
    made.set(database, value);
    return value;
  };
}
