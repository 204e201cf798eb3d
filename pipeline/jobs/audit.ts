import type { Interval } from '#chain/intervals.ts';
import { RowWriter } from '#sql/row-writer.ts';
import type { BackfillParts } from '../backfill/run-backfill.ts';
import { deriveMissingFigures } from '../figures/derive-figures.ts';
import { storedHash } from '../follow/finalized-comparison.ts';
import { repairRange } from '../store/repair-range.ts';
import { verifyChain, windowBlocks } from '../verify/verify-chain.ts';

/**
 * Compares the newest and some random finalized blocks with a node. If hashes agree but rows differ, repairs the range.
 * If a hash differs, only publishes the contradiction.
 * @returns false when a range was repaired: the backfill must show it to readers again
 * @throws DeepReorgError
 */
export async function audit(parts: BackfillParts): Promise<boolean> {
  const { deps, store, journal, doubt } = parts;
  if (doubt.isHeld) return true;
  const { startBlock, finalized } = store.state;
  const newest = Math.max(startBlock, finalized - windowBlocks + 1);
  const random = startBlock + Math.floor(Math.random() * Math.max(1, finalized - startBlock));
  for (const fromBlock of [newest, random]) {
    const toBlock = Math.min(fromBlock + windowBlocks - 1, finalized);
    await deriveMissingFigures(deps, fromBlock, toBlock); // earlier versions stored no figures
    const { differences } = await verifyChain(deps, {
      fromBlock,
      toBlock,
      baseOnly: true,
      traces: deps.settings.traces ?? 'off',
    });
    await record(parts, fromBlock, toBlock, differences.length, differences[0] ? JSON.stringify(differences[0]) : '');
    deps.metrics?.recordAudit(differences.length);
    if (differences.length === 0) continue;
    deps.log.error({
      event: 'audit_difference',
      fromBlock,
      toBlock,
      differences: differences.length,
      first: differences[0],
    });
    let isRepaired = false;
    for (const range of journal.rangesIn({ fromBlock, toBlock })) {
      if (!(await isOurChain(parts, range))) return !isRepaired;
      await repairRange(parts, range);
      isRepaired = true;
    }
    if (isRepaired) return false;
  }
  return true;
}

async function isOurChain({ deps, journal, doubt }: BackfillParts, { fromBlock, toBlock }: Interval): Promise<boolean> {
  for (const [block, known] of [
    [toBlock, journal.hashOf(toBlock)],
    [fromBlock - 1, journal.parentHashOf(fromBlock)],
  ] as const) {
    const hash = known ?? (block < 0 ? undefined : await storedHash(deps, block));
    if (hash !== undefined && !(await doubt.check(block, hash))) return false;
  }
  return true;
}

async function record(
  { deps }: BackfillParts,
  fromBlock: number,
  toBlock: number,
  differences: number,
  detail: string,
): Promise<void> {
  const w = new RowWriter(512);
  w.uint64(Date.now());
  w.uint64(fromBlock);
  w.uint64(toBlock);
  w.uint32(differences);
  w.text(detail.slice(0, 500));
  await deps.database.insertRowBinary('audits', w.view());
}
