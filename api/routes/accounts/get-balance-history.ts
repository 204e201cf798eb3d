import { z } from 'zod';
import { toQuantity } from '#chain/codec/hex.ts';
import { type ChainState, finalThrough } from '#sql/snapshot.ts';
import { defineRoute } from '../../http/define-route.ts';
import type { AccountFiguresReader } from '../../read/accounts/account-figures.ts';
import type { AccountReader } from '../../read/accounts/account-reader.ts';
import { readBlockHashes } from '../../read/chain/block-hashes.ts';
import { indexInfo } from '../../read/chain/freshness.ts';
import { assertWindow, maxBlock } from '../../read/chain/paging.ts';
import type { CoverageDeps, SnapshotDeps, StoreDeps, TimeDeps } from '../../read/reader-deps.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { BlockNumber, Count, HexAddress, IndexInfo, UnixSeconds, Wei, wholeNumber } from '../../terms/primitives.ts';
import { AccountId } from './account-id.ts';

const maxPoints = 100;

const Point = z.strictObject({
  blockNumber: Count,
  timestamp: UnixSeconds.nullable().meta({ description: 'Time of the block; null if the index lacks the block' }),
  balance: Wei.nullable().meta({
    description: 'Balance after this block, wei; null if no node has the state of the block',
  }),
});

interface HistoryDeps extends SnapshotDeps, CoverageDeps, StoreDeps, TimeDeps {
  readonly accounts: AccountReader;
  readonly accountFigures: AccountFiguresReader;
}

export const getBalanceHistory = defineRoute({
  id: 'getBalanceHistory',
  base: '/api/v1',
  path: '/accounts/:address/balances',
  methods: ['get'],
  tag: 'accounts',
  summary: 'Balance of one address over time',
  description:
    'Returns balances of the native coin from nodes, at evenly spaced finalized blocks. By default, the first block is the first one in which the address occurs.',
  params: z.object({ address: AccountId }),
  query: z.object({
    points: wholeNumber(2, maxPoints).default(30).meta({ description: 'Number of blocks' }),
    fromBlock: BlockNumber.optional().meta({ description: 'First block' }),
    toBlock: BlockNumber.optional().meta({ description: 'Last block (default: the newest finalized block)' }),
  }),
  response: z
    .strictObject({
      address: HexAddress,
      items: z.array(Point),
      complete: z.boolean().meta({
        description:
          'false if no node has the state of at least one of the blocks, or if the range is not finalized yet',
      }),
      index: IndexInfo,
    })
    .meta({ id: 'BalanceHistory' }),
  errors: [
    ...(['bad_query', 'use_registry_entity', 'indexing', 'node_unavailable', 'state_unavailable'] as const),
    'store_unavailable',
  ],
  cost: 10,
  maxAgeSeconds: 5,
  example: '/accounts/{account}/balances?points=3',
  handle: (deps: HistoryDeps, { params: { address }, query: { points, fromBlock, toBlock } }) =>
    deps.snapshots.run(async (state) => {
      const newest = finalThrough(state);
      const last = Math.min(toBlock ?? newest, newest);
      assertWindow(fromBlock ?? 0, toBlock ?? maxBlock);
      const index = indexInfo(deps, state);
      if ((fromBlock ?? 0) > last) return { address, items: [], complete: false, index };
      const first = fromBlock ?? (await deps.accountFigures.read(state, address)).first?.block ?? state.startBlock;
      const blocks = spread(Math.min(first, last), last, points);
      const hashes = await readBlockHashes(deps, state, blocks);
      const items = await Promise.all(
        blocks.map((block) => readPoint(deps, state, address, { block, hash: hashes.get(block) })),
      );
      if (items.every(({ balance }) => balance === null))
        throw new ApiProblem('state_unavailable', `no node keeps the state of blocks ${blocks[0]} to ${last}`);
      const complete = (toBlock ?? state.finalized) <= last && items.every(({ balance }) => balance !== null);
      return { address, items, complete, index };
    }),
});

/** Returns evenly spaced numbers without duplicates. */
function spread(first: number, last: number, points: number): number[] {
  const blocks = Array.from({ length: points }, (_, i) => first + Math.round(((last - first) * i) / (points - 1)));
  return [...new Set(blocks)];
}

/**
 * @param at block, and the hash that the node must have at this height; no hash: the index lacks the block
 * @throws ApiProblem node_unavailable
 */
async function readPoint(
  deps: HistoryDeps,
  state: ChainState,
  address: string,
  { block, hash }: { readonly block: number; readonly hash: string | undefined },
) {
  const unknownIfPruned = (error: unknown) => {
    if (error instanceof ApiProblem && error.code === 'state_unavailable') return null;
    throw error;
  };
  const [timestamp, balance] = await Promise.all([
    deps.blockTimes.of(state, block),
    deps.accounts.balance(address, toQuantity(block), hash).catch(unknownIfPruned),
  ]);
  return { blockNumber: block, timestamp: timestamp ?? null, balance };
}
