import type { StoreDeps } from '../reader-deps.ts';
import type { Added } from './ripening.ts';

/** Earlier added and removed blocks that a stream reads first; enough for most reorgs. */
const lookBack = 20_000;

/**
 * Returns for each height the block that was added last before a step.
 * @param before sequence number of the step
 */
export async function readAdded(
  { database }: StoreDeps,
  fromBlock: number,
  toBlock: number,
  before: number,
): Promise<Added[]> {
  const read = (maxSteps: number) =>
    database.read('earlier_anchors', { before, look_back: maxSteps, from_block: fromBlock, to_block: toBlock });
  const recent = await read(lookBack);
  // reads all steps if the recent ones lack a block: events must not depend on where the stream starts
  const isComplete = recent.length === toBlock - fromBlock + 1 || before <= lookBack;
  const rows = isComplete ? recent : await read(before);
  return rows.map((row) => ({
    sequence: Number(row.sequence),
    number: Number(row.block_number),
    hash: row.block_hash,
  }));
}
