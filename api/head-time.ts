/** Time of the newest block of a state. */
import type { Database } from '#sql/client.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import { getStatement, type Statements } from '#sql/statements.ts';
import { PerState } from './per-state.ts';

/** Unix seconds; 0 where no block is visible. */
export type HeadTime = (state: ChainState) => Promise<number>;

/** Reads it once a state. */
export function headTimeReader(database: Database, statements: Statements): HeadTime {
  const times = new PerState<number>(8);
  return (state) =>
    times.of('head', state, async () => {
      const [row] = await database.read<{ time: number }>(getStatement(statements, 'blocks_desc'), {
        ...snapshotParameters(state),
        ...{ from_block: state.head, to_block: state.head, miner: '', min_transactions: 0, limit: 1 },
      });
      return row?.time ?? 0;
    });
}
