import type { Database } from '#sql/client.ts';

/** Makes one value per database, for example the cache of a module. */
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
