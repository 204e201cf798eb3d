import { clientTables } from '#sql/chain-tables.ts';
import type { Database } from '#sql/client.ts';

/** Emptied last: while it has a row, an interrupted call is repeated. */
const identityTable = 'chain_identity';
const keptTables = [...clientTables, 'schema_migrations', identityTable];

/** Removes all rows except those of clients and operators. No pipeline may run meanwhile. */
export async function forgetChain(database: Database): Promise<void> {
  const markers = new Set((await database.read('head_markers')).map(({ name }) => name));
  const tables = (await database.read('tables_except', { kept: keptTables })).map(({ name }) => name);
  for (const name of markers) await database.command(`DROP TABLE IF EXISTS ${name} SYNC`);
  for (const name of tables.filter((table) => !markers.has(table))) await database.command(`TRUNCATE TABLE ${name}`);
  await database.command(`TRUNCATE TABLE ${identityTable}`);
}
