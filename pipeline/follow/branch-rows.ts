import { InvalidChainData } from '#chain/errors.ts';
import type { BlockBundle, HeadRef } from '#chain/rpc/wire-types.ts';
import { checkLinks } from '#chain/verify/check-links.ts';
import { RangeRows } from '../encode/range-rows.ts';
import type { HeadBlock } from './fetch-head-block.ts';

/** Returns the blocks before the first broken link: a node may change branch between requests. */
export function linkedTo(head: HeadRef, blocks: readonly HeadBlock[]): HeadBlock[] {
  let { hash, timestamp } = head;
  const broken = blocks.findIndex(({ rows: { summary } }, i) => {
    const follows = summary.parentHash === hash && (i === 0 || summary.firstTime >= timestamp);
    hash = summary.lastHash;
    timestamp = summary.lastTime;
    return !follows;
  });
  return broken < 0 ? [...blocks] : blocks.slice(0, broken);
}

/**
 * Joins the rows of consecutive blocks above a parent.
 * @throws InvalidChainData when a block is older than the previous one, or doesn't name it as its parent
 */
export function rowsOnto(parent: HeadRef, blocks: readonly HeadBlock[]): RangeRows {
  const bundles = blocks.map(({ bundle }) => bundle);
  if (bundles[0]) assertNotOlder(bundles[0], parent);
  checkLinks(bundles, parent.hash);
  const rows = new RangeRows(0);
  for (const block of blocks) rows.append(block.rows);
  return rows;
}

export function headRef({ block }: BlockBundle): HeadRef {
  return {
    number: Number(block.number),
    timestamp: Number(block.timestamp),
    hash: block.hash.toLowerCase(),
    parentHash: block.parentHash.toLowerCase(),
  };
}

/** Compares timestamps: a node can report a wrong time with the correct hash. */
function assertNotOlder({ block }: BlockBundle, parent: HeadRef): void {
  if (Number(block.timestamp) >= parent.timestamp) return;
  throw new InvalidChainData('timestamp', Number(block.number), 'the block is older than its parent');
}
