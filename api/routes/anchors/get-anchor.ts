import { z } from 'zod';
import { hexDigits } from '#chain/codec/hex.ts';
import { type ChainState, finalThrough, snapshotParameters } from '#sql/snapshot.ts';
import { defineRoute } from '../../http/define-route.ts';
import { findBlock } from '../../read/chain/find-block.ts';
import { absent, indexInfo } from '../../read/chain/freshness.ts';
import { findBlockByHash, type ReachDeps, reachBlock } from '../../read/chain/reach-block.ts';
import type { ChainDeps, CoverageDeps, StoreDeps } from '../../read/reader-deps.ts';
import { Count, HexHash, IndexInfo, Wei } from '../../terms/primitives.ts';
import type { BlockRecord } from '../../terms/records.ts';
import { Anchor, serializeAnchor } from './anchor.ts';

const tags = ['latest', 'earliest', 'finalized', 'safe'] as const;

const AnchorId = z
  .string()
  .refine(
    (id) => /^\d{1,15}$/.test(id) || /^0x[0-9a-fA-F]{64}$/.test(id) || tags.includes(id as 'latest'),
    `must be a block number, a block hash, or one of ${tags.join(', ')}`,
  )
  .toLowerCase()
  .meta({ description: `Block number, block hash, or one of ${tags.join(', ')}` });

const AnchorDetail = Anchor.extend({
  transferCount: Count.meta({ description: 'Number of token transfers of all standards' }),
  priorityFees: Wei.meta({ description: 'Fees without the burned part, wei: what the producer received' }),
  index: IndexInfo,
}).meta({ id: 'AnchorDetail' });

const Orphan = z
  .strictObject({
    chainId: Count,
    number: Count,
    hash: HexHash,
    canonical: z.literal(false),
    replacedBy: HexHash.nullable(),
    index: IndexInfo,
  })
  .meta({ id: 'OrphanedAnchor' });

export const getAnchor = defineRoute({
  id: 'getAnchor',
  base: '/api/v1',
  path: '/strings/:id',
  methods: ['get'],
  tag: 'anchors',
  summary: 'One cord anchor (block)',
  description: 'The id is a number, a hash or a tag such as finalized. A hash also finds a block that a reorg removed.',
  params: z.object({ id: AnchorId }),
  query: z.object({}),
  response: z.union([AnchorDetail, Orphan]),
  errors: ['bad_query', 'not_found', 'indexing', 'node_unavailable', 'store_unavailable'],
  maxAgeSeconds: 1,
  example: '/strings/finalized',
  handle: async (deps: FindDeps, { params: { id } }) => {
    const { state, found } = await (id.startsWith('0x') ? findByHash(deps, id) : findByNumber(deps, id));
    if (!found) throw absent(deps, state, `block ${id}`);
    return { ...found, index: indexInfo(deps, state) };
  },
});

type FindDeps = StoreDeps & ReachDeps & CoverageDeps & ChainDeps;

async function findByNumber(deps: FindDeps, id: string) {
  if (/^\d+$/.test(id)) await reachBlock(deps, Number(id));
  return deps.snapshots.run(async (state) => {
    const row = await findBlock(deps, state, resolveNumber(id, state));
    return { state, found: row && (await toDetail(deps, state, row)) };
  });
}

const findByHash = (deps: FindDeps, hash: string) =>
  findBlockByHash(deps, hash, async (state) => {
    const row = await readByHash(deps, state, hash);
    return row ? toDetail(deps, state, row) : readOrphan(deps, state, hash);
  });

async function toDetail({ database, settings }: FindDeps, state: ChainState, row: BlockRecord) {
  const parameters = { ...snapshotParameters(state), block_number: row.block_number };
  const counts = await database.readOne('block_counts', parameters);
  return {
    ...serializeAnchor(settings.chainId, state, row),
    transferCount: Object.values(counts).reduce((sum, count) => sum + Number(count), 0),
    priorityFees: (BigInt(row.fees_wei) - BigInt(row.burned_wei)).toString(),
  };
}

function resolveNumber(id: string, state: ChainState): number {
  if (id === 'latest') return state.head;
  if (id === 'earliest') return state.startBlock;
  return id === 'finalized' || id === 'safe' ? finalThrough(state) : Number(id);
}

async function readByHash({ database }: StoreDeps, state: ChainState, hash: string): Promise<BlockRecord | undefined> {
  const [row] = await database.read('block_by_hash', { ...snapshotParameters(state), hash: hexDigits(hash) });
  return row;
}

async function readOrphan(deps: StoreDeps & ChainDeps, state: ChainState, hash: string) {
  const [row] = await deps.database.read('orphaned_block', { hash: hexDigits(hash) });
  if (!row) return undefined;
  const number = Number(row.block_number);
  const replacement = (await findBlock(deps, state, number))?.block_hash ?? null;
  return { chainId: deps.settings.chainId, number, hash, canonical: false as const, replacedBy: replacement };
}
