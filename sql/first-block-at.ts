/** The block of a time. */
import type { Database } from './client.ts';
import { type ChainState, snapshotParameters } from './snapshot.ts';
import { getStatement, type Statements } from './statements.ts';

/** Lowest visible block that is not older than a Unix time; undefined where none is. */
export async function firstBlockAt(
  { database, statements }: { readonly database: Database; readonly statements: Statements },
  state: ChainState,
  time: number,
): Promise<number | undefined> {
  const [row] = await database.read<{ block_number: string }>(getStatement(statements, 'first_block_at'), {
    ...snapshotParameters(state),
    time,
  });
  return row && Number(row.block_number);
}
