import { z } from 'zod';
import { hexDigits } from '#chain/codec/hex.ts';
import { isWhole, snapshotParameters } from '#sql/snapshot.ts';
import { defineRoute } from '../../http/define-route.ts';
import { indexInfo } from '../../read/chain/freshness.ts';
import {
  assertWindow,
  maxBlock,
  type PageStart,
  pinnedHead,
  readDistinct,
  readStart,
} from '../../read/chain/paging.ts';
import { makeWalkPage } from '../../read/chain/walk-page.ts';
import type { ChainDeps, ListDeps } from '../../read/reader-deps.ts';
import type { Position } from '../../terms/cursor.ts';
import { ApiProblem } from '../../terms/errors.ts';
import {
  Address,
  BlockNumber,
  LastBlock,
  Limit,
  Order,
  pageParameters,
  toListSchema,
  wholeNumber,
} from '../../terms/primitives.ts';
import type { BlockRecord } from '../../terms/records.ts';
import { Anchor, serializeAnchor } from './anchor.ts';
import { ReorgedAnchor, readReorged } from './reorged-anchors.ts';

/** The database compares the number as 32 bits. */
const maxTransactions = 2 ** 32 - 1;

const AnchorList = toListSchema(z.union([Anchor, ReorgedAnchor]));

interface ReorgedInput {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly miner?: string | undefined;
  readonly minTx?: number | undefined;
  readonly limit: number;
  readonly order: 'asc' | 'desc';
  readonly cursor?: string | undefined;
}

const outside = { asc: { after: { block: -1, index: 0 } }, desc: { after: { block: maxBlock, index: 0 } } };
const rowPosition = (row: BlockRecord): Position => ({ block: Number(row.block_number), index: 0 });

const blocks = { asc: 'blocks_asc', desc: 'blocks_desc' } as const;

export const listAnchors = defineRoute({
  id: 'listAnchors',
  base: '/api/v1',
  path: '/strings',
  methods: ['get'],
  tag: 'anchors',
  summary: 'List of cord anchors (blocks)',
  description:
    'You can filter the blocks by number, producer and transaction count. With type=reorged, the list contains the blocks that reorgs removed.',
  params: z.object({}),
  query: z.object({
    type: z.enum(['canonical', 'reorged'], 'must be canonical or reorged').default('canonical').meta({
      description:
        'canonical: blocks of the current chain. reorged: blocks that reorgs removed, highest first; only the filters from and to are accepted',
    }),
    from: BlockNumber.optional().meta({ description: 'Return only blocks with this number or a higher one' }),
    to: LastBlock.optional().meta({ description: 'Return only blocks with this number or a lower one' }),
    miner: Address.optional().meta({ description: 'Return only blocks produced by this address' }),
    minTx: wholeNumber(0, maxTransactions)
      .optional()
      .meta({ description: 'Return only blocks with at least this number of transactions' }),
    order: Order,
    ...pageParameters,
  }),
  response: AnchorList,
  errors: ['bad_query', 'invalid_cursor', 'snapshot_invalidated', 'indexing', 'store_unavailable'],
  maxAgeSeconds: 1,
  example: '/strings?limit=2',
  handle: async (deps: ListDeps & ChainDeps, { query }) => {
    const { from = 0, to = maxBlock, miner = '', minTx = 0, limit, order } = query;
    assertWindow(from, to);
    if (query.type === 'reorged') return listReorged(deps, query);
    const filter = deps.cursors(['anchors', from, to, miner, minTx, order]);
    const start: PageStart = query.cursor === undefined ? outside[order] : readStart(filter, query);
    return deps.snapshots.run(async (state) => {
      const pin = await pinnedHead(deps, state, start.pin, to);
      const highest = Math.min(to, pin.head);
      const isAny = miner === '' && minTx === 0 && isWhole(state);
      const bounds = (after: Position, count: number) => {
        if (order === 'asc') return { from_block: Math.max(from, after.block + 1), to_block: highest };
        const to_block = Math.min(highest, after.block - 1);
        // a smaller range reads fewer partitions
        return { from_block: isAny ? Math.max(from, to_block - count + 1) : from, to_block };
      };
      const read = async (after: Position, count: number) => {
        const range = bounds(after, count);
        if (range.to_block < range.from_block) return []; // below block 0
        return deps.database.read(blocks[order], {
          ...snapshotParameters(state),
          ...range,
          miner: miner && hexDigits(miner),
          min_transactions: minTx,
          limit: count,
        });
      };
      const rows = await readDistinct(read, start.after, limit + 1, rowPosition);
      const { page, ...more } = makeWalkPage(rows, { scope: filter, order, limit, pin, state }, rowPosition);
      const items = page.map((row) => serializeAnchor(deps.settings.chainId, state, row));
      return { items, ...more, limit, index: indexInfo(deps, state, pin) };
    });
  },
});

async function listReorged(
  deps: ListDeps & ChainDeps,
  { from = 0, to = maxBlock, miner, minTx, limit, order, cursor }: ReorgedInput,
) {
  if (miner !== undefined || minTx !== undefined || order === 'asc')
    throw new ApiProblem('bad_query', 'type=reorged accepts only from and to as filters, and only order=desc');
  return deps.snapshots.run(async (state) => ({
    ...(await readReorged(deps, state, { from, to, limit, cursor })),
    limit,
    index: indexInfo(deps, state),
  }));
}

export const listLatestAnchors = defineRoute({
  ...listAnchors,
  id: 'listLatestAnchors',
  path: '/strings/latest',
  summary: 'Latest cord anchors (blocks)',
  description: 'Returns the newest blocks of the current chain. This list has no filters.',
  query: z.object({ ...pageParameters, limit: Limit.unwrap().default(10) }),
  example: '/strings/latest?limit=2',
  handle: (deps: ListDeps & ChainDeps, { query, ...input }) =>
    listAnchors.handle(deps, { ...input, query: { ...query, type: 'canonical', order: 'desc' } }),
});
