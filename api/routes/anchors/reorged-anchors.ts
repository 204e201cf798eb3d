import { z } from 'zod';
import { isoTime, isoTimeFromMs } from '#chain/codec/iso-time.ts';
import type { ChainState } from '#sql/snapshot.ts';
import { findBlock } from '../../read/chain/find-block.ts';
import { makeKeyedPage, maxBlock } from '../../read/chain/paging.ts';
import type { ChainDeps, ListDeps } from '../../read/reader-deps.ts';
import { damaged, decodeCursor } from '../../terms/cursor.ts';
import { Count, HexHash, IsoTime, UnixSeconds } from '../../terms/primitives.ts';

export const ReorgedAnchor = z
  .strictObject({
    chainId: Count,
    number: Count,
    hash: HexHash,
    parentHash: HexHash,
    timestamp: UnixSeconds,
    datetime: IsoTime,
    transactionCount: Count,
    removedAt: IsoTime,
    canonical: z.literal(false),
    replacedBy: HexHash.nullable().meta({
      description: 'Hash of the anchor (block) that replaced this one at the same number; null if there is none yet',
    }),
  })
  .meta({ id: 'ReorgedAnchor' });

interface ReorgedQuery {
  readonly from: number;
  readonly to: number;
  readonly limit: number;
  readonly cursor: string | undefined;
}

export async function readReorged(
  deps: ListDeps & ChainDeps,
  state: ChainState,
  { from, to, limit, cursor }: ReorgedQuery,
) {
  const filter = deps.cursors(['reorged anchors', from, to]);
  const [block = maxBlock, sequence = 0] = cursor === undefined ? [] : decodeCursor(filter, cursor).key;
  if (!Number.isSafeInteger(block) || !Number.isSafeInteger(sequence)) throw damaged();
  const rows = await deps.database.read('reorged_anchors', {
    from_block: from,
    to_block: to,
    at_block: block,
    at_sequence: sequence,
    limit: limit + 1,
  });
  const { page, ...more } = makeKeyedPage(rows, filter, limit, (row) => [Number(row.number), Number(row.sequence)]);
  const heights = [...new Set(page.map((row) => Number(row.number)))];
  const replacements = await Promise.all(heights.map((height) => findBlock(deps, state, height)));
  const hashes = new Map(heights.map((height, at) => [height, replacements[at]?.block_hash ?? null]));
  const items = page.map((row) => ({
    chainId: deps.settings.chainId,
    number: Number(row.number),
    hash: row.hash_hex,
    parentHash: row.parent_hex,
    timestamp: row.block_time,
    datetime: isoTime(row.block_time),
    transactionCount: Number(row.transactions),
    removedAt: isoTimeFromMs(Number(row.removed_ms)),
    canonical: false as const,
    replacedBy: hashes.get(Number(row.number)) ?? null,
  }));
  return { items, ...more };
}
