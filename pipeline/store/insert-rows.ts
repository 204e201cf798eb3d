import type { Database } from '#sql/client.ts';
import { baseTables, type RangeRows } from '../encode/range-rows.ts';
import { recordTraced } from '../traces/traced-ranges.ts';
import type { Journal } from './journal.ts';

/** Inserts the rows of a range, the table `blocks` last. A repeated insert changes nothing. */
export async function insertRows(database: Database, rows: RangeRows): Promise<void> {
  const others = baseTables.filter((table) => table !== 'blocks' && rows.writers[table].rows > 0);
  await Promise.all(others.map((table) => database.insertRowBinary(table, rows.writers[table].chunks)));
  await database.insertRowBinary('blocks', rows.writers.blocks.chunks);
  for (const table of baseTables) database.options.observer?.recordRows(table, rows.final, rows.writers[table].rows);
}

export async function insertRange(database: Database, journal: Journal, rows: RangeRows): Promise<void> {
  const summary = rows.summary;
  await journal.started(summary);
  await insertRows(database, rows);
  await journal.done(summary);
  await recordTraced({ database }, rows.traced);
}
