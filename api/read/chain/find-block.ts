import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import { Cache } from '../../cache/cache.ts';
import { perDatabase } from '../../cache/per-database.ts';
import type { BlockRecord } from '../../terms/records.ts';
import type { StoreDeps } from '../reader-deps.ts';

const getBlockCache = perDatabase(() => new Cache<BlockRecord>('blocks'));

/** @returns undefined if the snapshot does not contain the block */
export async function findBlock(
  { database }: StoreDeps,
  state: ChainState,
  number: number,
): Promise<BlockRecord | undefined> {
  if (number > state.head) return undefined;
  const blocks = getBlockCache(database);
  const known = blocks.get(String(number), state);
  if (known) return known;
  const [row] = await database.read('blocks_desc', {
    ...snapshotParameters(state),
    from_block: number,
    to_block: number,
    miner: '',
    min_transactions: 0,
    limit: 1,
  });
  if (row) blocks.set(String(number), state, row);
  return row;
}
