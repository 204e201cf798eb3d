import type { StoreDeps } from '../reader-deps.ts';
import type { Added } from './ripening.ts';

/** Number of earlier steps (added or removed blocks) to read first; enough for most reorgs. */
const lookBack = 20_000;

/** Returns the block that was added last at each height, before step `before` (a sequence number). */
export async function readAdded(
  { database }: StoreDeps,
  fromBlock: number,
  toBlock: number,
  before: number,
): Promise<Added[]> {
  const read = (maxSteps: number) =>
    database.read('earlier_anchors', { before, look_back: maxSteps, from_block: fromBlock, to_block: toBlock });
  const recent = await read(lookBack);
  // read all steps if a block is missing: events must not depend on where the stream starts
  const isComplete = recent.length === toBlock - fromBlock + 1 || before <= lookBack;
  const rows = isComplete ? recent : await read(before);
  return rows.map((row) => ({
    sequence: Number(row.sequence),
    number: Number(row.block_number),
    hash: row.block_hash,
  }));
}
