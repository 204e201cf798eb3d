import { z } from 'zod';
import { hexDigits } from '#chain/codec/hex.ts';
import { isoTimeFromMs } from '#chain/codec/iso-time.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import type { RowOf } from '#sql/statement-types.ts';
import { defineRoute } from '../../http/define-route.ts';
import { getCoverage, indexInfo } from '../../read/chain/freshness.ts';
import { makeKeyedPage } from '../../read/chain/paging.ts';
import type { ChainDeps, ListDeps } from '../../read/reader-deps.ts';
import { damaged, decodeCursor } from '../../terms/cursor.ts';
import {
  Count,
  HexAddress,
  HexHash,
  IsoTime,
  pageParameters,
  toListSchema,
  UnixTime,
  Wei,
} from '../../terms/primitives.ts';

const OrphanedTransaction = z
  .strictObject({
    chainId: Count,
    txHash: HexHash,
    removedFrom: HexHash.meta({ description: 'Hash of the removed block that contained the transaction' }),
    from: HexAddress,
    to: HexAddress.nullable(),
    value: Wei,
    fate: z.enum(['included', 'notIncluded', 'unknown']).meta({
      description:
        'State of the transaction after the reorg. included: it is now in another block. notIncluded: it is in no block up to the newest indexed one. unknown: it was not found, but the index lacks blocks that can contain it',
    }),
    blockNumber: Count.nullable().meta({
      description: 'Block that now contains the transaction; null if no block contains it',
    }),
  })
  .meta({ id: 'OrphanedTransaction' });

const Reorg = z
  .strictObject({
    detectedAt: IsoTime,
    forkBlock: Count.meta({
      description: 'Last block that the removed and the new branch have in common',
    }),
    depth: Count.meta({ description: 'Number of blocks that the reorg removed' }),
    removed: z.array(HexHash).meta({ description: 'Hashes of the removed blocks, lowest first' }),
    added: z
      .array(HexHash)
      .meta({ description: 'Hashes of the blocks of the new branch at the time the reorg was detected, lowest first' }),
    transactions: z.array(OrphanedTransaction),
  })
  .meta({ id: 'Reorg' });

/** Start of the first page, Unix ms, later than every reorg. */
const endOfTime = 8_000_000_000_000;

/** @source docs/mechanisms.md#events-and-reorgs */
export const listReorgs = defineRoute({
  id: 'listReorgs',
  base: '/api/v1',
  path: '/reorgs',
  methods: ['get'],
  tag: 'deposits',
  summary: 'Reorgs of the chain',
  description:
    'The newest reorgs come first. Each entry has the depth, the block hashes of both branches, and the new state of each removed transaction.',
  params: z.object({}),
  query: z.object({
    from: UnixTime.optional().meta({ description: 'Return only reorgs detected at or after this time, Unix seconds' }),
    ...pageParameters,
  }),
  response: toListSchema(Reorg),
  errors: ['bad_query', 'invalid_cursor', 'indexing', 'store_unavailable'],
  maxAgeSeconds: 1,
  example: '/reorgs?limit=2',
  handle: (deps: ListDeps & ChainDeps, { query: { from = 0, limit, cursor } }) => {
    const filter = deps.cursors(['reorgs', from]);
    const [before = endOfTime, fork = 0] = cursor === undefined ? [] : decodeCursor(filter, cursor).key;
    if (!Number.isSafeInteger(before) || !Number.isSafeInteger(fork)) throw damaged();
    return deps.snapshots.run(async (state) => {
      const rows = await deps.database.read('reorgs', {
        from_ms: from * 1000,
        before_ms: before,
        before_fork: fork,
        limit: limit + 1,
      });
      const { page, ...more } = makeKeyedPage(rows, filter, limit, (row) => [
        Number(row.detected_ms),
        Number(row.fork_block),
      ]);
      const fates = await readFates(deps, state, page);
      const items = page.map((row) => ({
        detectedAt: isoTimeFromMs(Number(row.detected_ms)),
        forkBlock: Number(row.fork_block),
        depth: row.depth,
        removed: row.removed_hashes,
        added: row.added_hashes,
        transactions: row.removed_hashes.flatMap((hash) => fates.get(hash) ?? []),
      }));
      return { items, ...more, limit, index: indexInfo(deps, state) };
    });
  },
});

/** Returns whether the index has all blocks after the fork block, which may contain the removed transactions. */
function isCovered(deps: ListDeps, state: ChainState, { fork_block, depth }: RowOf<'reorgs'>): boolean {
  const fork = Number(fork_block);
  return getCoverage(deps, state, fork + 1, Math.max(state.head, fork + depth)).complete;
}

/** Reads the removed transactions by hash of the removed block. */
async function readFates(deps: ListDeps & ChainDeps, state: ChainState, reorgs: readonly RowOf<'reorgs'>[]) {
  const hashes = reorgs.flatMap((row) => row.removed_hashes);
  const doubtful = new Set(reorgs.flatMap((row) => (isCovered(deps, state, row) ? [] : row.removed_hashes)));
  const rows =
    hashes.length === 0
      ? []
      : await deps.database.read('fate_of_orphans', {
          ...snapshotParameters(state),
          hashes: hashes.map(hexDigits),
        });
  const fates = new Map<string, z.input<typeof OrphanedTransaction>[]>();
  for (const row of rows) {
    const blockNumber = row.now_in === null ? null : Number(row.now_in);
    const missing = doubtful.has(row.removed_from) ? ('unknown' as const) : ('notIncluded' as const);
    const fate = blockNumber === null ? missing : ('included' as const);
    const item = {
      chainId: deps.settings.chainId,
      txHash: row.tx_hash,
      removedFrom: row.removed_from,
      from: row.sender,
      to: row.recipient,
    };
    fates.set(row.removed_from, [
      ...(fates.get(row.removed_from) ?? []),
      { ...item, value: row.wei, fate, blockNumber },
    ]);
  }
  return fates;
}
