/** Takes rows of unsettled blocks out of every table. */
import PQueue from 'p-queue';
import { getStatement } from '#sql/statements.ts';
import type { PipelineDeps } from '../deps.ts';

/**
 * Drops the partitions of all unsettled blocks that `which` names. An unsettled block is a partition of its own in
 * every table, so each drop is atomic and moves no data.
 */
export async function removeUnsettled(
  { database, statements }: Pick<PipelineDeps, 'database' | 'statements'>,
  which: (blockNumber: number) => boolean,
): Promise<void> {
  const rows = await database.read<{ table: string; block_number: string }>(
    getStatement(statements, 'unsettled_partitions'),
  );
  const drop = getStatement(statements, 'drop_partition');
  const queue = new PQueue({ concurrency: 4 });
  await queue.addAll(
    rows
      .filter((row) => which(Number(row.block_number)))
      .map((row) => () => database.execute(drop, { table: row.table, block_number: row.block_number })),
  );
}
