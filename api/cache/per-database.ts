import type { Database } from '#sql/client.ts';

/** Returns a function that makes one value per database, so that modules need no dependency for their own cache. */
export function perDatabase<V>(make: (database: Database) => V): (database: Database) => V {
  const made = new WeakMap<Database, { readonly value: V }>();
  return (database) => {
    const known = made.get(database) ?? { value: make(database) };
    made.set(database, known);
    return known.value;
  };
}
