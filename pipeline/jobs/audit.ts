/** The auditor: compares the newest settled blocks and some random ones with the node, and has repaired what differs. */

import { RowWriter } from '#sql/row-writer.ts';
import type { BackfillParts } from '../backfill/run-backfill.ts';
import { repairRange } from '../store/repair-range.ts';
import { verifyChain, windowBlocks } from '../verify/verify-chain.ts';

/** @returns false when something differed and was taken out: the backfill has to run again */
export async function audit(parts: BackfillParts): Promise<boolean> {
  const { deps, store, journal } = parts;
  const { startBlock, finalized } = store.state;
  const newest = Math.max(startBlock, finalized - windowBlocks + 1);
  const random = startBlock + Math.floor(Math.random() * Math.max(1, finalized - startBlock));
  let isSound = true;
  for (const fromBlock of [newest, random]) {
    const toBlock = Math.min(fromBlock + windowBlocks - 1, finalized);
    const { differences } = await verifyChain(deps, {
      ...{ fromBlock, toBlock, baseOnly: true, traces: deps.settings.traces === true },
    });
    await record(parts, fromBlock, toBlock, differences.length, differences[0] ? JSON.stringify(differences[0]) : '');
    deps.metrics?.noteAudit(differences.length);
    if (differences.length === 0) continue;
    isSound = false;
    deps.log.error({
      event: 'audit_difference',
      fromBlock,
      toBlock,
      differences: differences.length,
      first: differences[0],
    });
    for (const range of journal.rangesIn({ fromBlock, toBlock })) await repairRange(parts, range);
  }
  return isSound;
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
