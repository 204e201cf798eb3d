/** Keeps what a reorg is about to take away, so that one can still say what became of it. */
import { getStatement } from '#sql/statements.ts';
import type { PipelineDeps } from '../deps.ts';

/** Copies the transactions of the unsettled blocks above a height; repeating it is safe. */
export function keepOrphans(
  { database, statements }: Pick<PipelineDeps, 'database' | 'statements'>,
  above: number,
  head: number,
): Promise<void> {
  return database.execute(getStatement(statements, 'keep_orphans'), { above, head });
}

/** The same of all blocks above a height, final ones too. */
export function keepSettledOrphans(
  { database, statements }: Pick<PipelineDeps, 'database' | 'statements'>,
  above: number,
): Promise<void> {
  return database.execute(getStatement(statements, 'keep_settled_orphans'), { above });
}
