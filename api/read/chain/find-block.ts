import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import type { BlockRecord } from '../../terms/records.ts';
import type { StoreDeps } from '../reader-deps.ts';

/** @returns undefined if the snapshot does not contain the block */
export async function findBlock(
  { database }: StoreDeps,
  state: ChainState,
  number: number,
): Promise<BlockRecord | undefined> {
  const [row] = await database.read('blocks_desc', {
    ...snapshotParameters(state),
    from_block: number,
    to_block: number,
    miner: '',
    min_transactions: 0,
    limit: 1,
  });
  return row;
}
