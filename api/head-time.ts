/** Time of the newest block of a state. */
import type { Database } from '#sql/client.ts';
import type { ChainState } from '#sql/snapshot.ts';
import type { Statements } from '#sql/statements.ts';
import { PerState } from './per-state.ts';
import { findBlock } from './routes/anchors/find-block.ts';

/** Unix seconds; 0 where no block is visible. */
export type HeadTime = (state: ChainState) => Promise<number>;

/** Reads it once a state. */
export function headTimeReader(database: Database, statements: Statements): HeadTime {
  const times = new PerState<number>(8);
  return (state) =>
    times.of('head', state, async () => (await findBlock({ database, statements }, state, state.head))?.time ?? 0);
}
