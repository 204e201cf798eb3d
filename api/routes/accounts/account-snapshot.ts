import { z } from 'zod';
import { hexDigits } from '#chain/codec/hex.ts';
import { type ChainState, finalThrough, snapshotParameters } from '#sql/snapshot.ts';
import { defineRoute } from '../../http/define-route.ts';
import { type CoinAtDeps, readCoinAt } from '../../read/accounts/coin-at.ts';
import { readTokensAt } from '../../read/accounts/tokens-at.ts';
import { assertCovered, indexInfo } from '../../read/chain/freshness.ts';
import { selectBlock } from '../../read/chain/select-block.ts';
import type { QueryTurns } from '../../read/query/query-turns.ts';
import type { SnapshotDeps, TimeDeps } from '../../read/reader-deps.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { BlockNumber, Count, HexAddress, IndexInfo, Wei } from '../../terms/primitives.ts';
import { TokenStandardName } from '../tokens/token.ts';
import { describeBlock, SnapshotBlock, SnapshotTime } from '../tokens/token-snapshot.ts';
import { AccountId } from './account-id.ts';

const Held = z
  .strictObject({
    token: HexAddress,
    standard: z.string(),
    tokenId: z.string().meta({ description: '0 for TOKEN-20 (ERC-20)' }),
    balance: z.string().meta({ description: 'Smallest unit of the token: received minus sent, from all transfers' }),
  })
  .meta({ id: 'HeldToken' });

interface Deps extends CoinAtDeps, TimeDeps, SnapshotDeps {
  readonly queryTurns: QueryTurns;
}

/** @source docs/questions.md */
export const getAccountSnapshot = defineRoute({
  id: 'getAccountSnapshot',
  base: '/api/v1',
  path: '/accounts/:address/snapshot',
  methods: ['get'],
  tag: 'accounts',
  summary: 'Coin, tokens, NFTs and activity of an account as of a block',
  description:
    'The coin balance comes from a node that has the state of the block, else from the balance after the newest finalized block and the movements since. Tokens are computed from all transfers up to the block; they are wrong for tokens whose balances change without transfer events, and missing for the zero address.',
  params: z.object({ address: AccountId }),
  query: z.object({
    block: BlockNumber.optional().meta({
      description: 'The reply contains the transactions up to this block (default: the newest finalized block)',
    }),
    time: SnapshotTime,
    standard: TokenStandardName.optional().meta({ description: 'Only tokens of this standard' }),
  }),
  response: z
    .strictObject({
      address: HexAddress,
      block: SnapshotBlock,
      coin: z.strictObject({
        balance: Wei.nullable().meta({ description: 'Balance after the block, wei; null if unknown' }),
        source: z
          .enum(['node', 'history'])
          .nullable()
          .meta({ description: 'node: a node has the state of the block. history: computed from later movements' }),
        unknownBecause: z.string().nullable().meta({ description: 'Why the balance is unknown; null if it is known' }),
      }),
      transactions: z
        .strictObject({
          all: Count,
          sent: Count,
          received: Count,
          firstBlock: Count.nullable(),
          lastBlock: Count.nullable(),
        })
        .nullable()
        .meta({ description: 'Transactions up to the block; null if the index starts after block 0' }),
      tokens: z.array(Held).nullable().meta({ description: 'Null: unknown, because the index starts after block 0' }),
      index: IndexInfo,
    })
    .meta({ id: 'AccountSnapshot' }),
  errors: ['bad_query', 'use_registry_entity', 'indexing', 'rate_limited', 'store_unavailable'],
  cost: 5,
  maxAgeSeconds: 1,
  example: '/accounts/{account}/snapshot?block=100',
  handle: async (deps: Deps, { params: { address }, query: { standard, ...at }, caller, address: ip }) => {
    const read = async (state: ChainState) => {
      const block = (await selectBlock(deps, state, at)) ?? finalThrough(state);
      if (block < state.startBlock || block > state.head)
        throw new ApiProblem('bad_query', `blocks ${state.startBlock} to ${state.head} are indexed, got ${block}`);
      assertCovered(deps, state, { from: state.startBlock, to: block }, 'the snapshot needs all earlier blocks');
      const isWhole = state.startBlock === 0;
      const [tokens, transactions, described] = await Promise.all([
        isWhole ? readTokensAt(deps, state, [address], { block, standard }) : null,
        isWhole ? readActivity(deps, state, address, block) : null,
        describeBlock(deps, state, block),
      ]);
      return { state, block: described, tokens, transactions };
    };
    // one request at a time, because an account can have millions of transactions
    const run = () => deps.snapshots.run(read, { isExpensive: true });
    const { state, block, tokens, transactions } = await deps.queryTurns.runExpensive({ caller, address: ip }, run);
    return {
      ...{ address, block, coin: await readCoin(deps, state, address, block.number), transactions },
      tokens: tokens?.map(({ account: _, amount, ...held }) => ({ ...held, balance: amount })) ?? null,
      index: indexInfo(deps, state),
    };
  },
});

async function readCoin(deps: Deps, state: ChainState, address: string, block: number) {
  try {
    return { ...(await readCoinAt(deps, state, address, block)), unknownBecause: null };
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error;
    return { balance: null, source: null, unknownBecause: error.detail };
  }
}

async function readActivity({ database }: Deps, state: ChainState, address: string, block: number) {
  const row = await database.readOne('activity_until', {
    ...snapshotParameters(state),
    ...{ address: hexDigits(address), to_block: block },
  });
  const all = Number(row.transactions);
  return {
    ...{ all, sent: Number(row.sent), received: Number(row.received) },
    firstBlock: all === 0 ? null : Number(row.first_block),
    lastBlock: all === 0 ? null : Number(row.last_block),
  };
}
