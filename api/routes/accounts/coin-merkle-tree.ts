import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { confirmedRows, isConfirmedByNode } from '../../read/accounts/coin-balances-at.ts';
import { genesisIndexInfo } from '../../read/chain/freshness.ts';
import { IndexInfo } from '../../terms/primitives.ts';
import { describeTree, dumpTree, makeTree, merkleFields, merkleQuery } from '../tokens/merkle-reply.ts';
import { describeBlock, maxRows } from '../tokens/token-snapshot.ts';
import { type CoinSnapshotDeps, coinBlockQuery, coinSnapshotFields, readCoinBalances } from './coin-snapshot.ts';

/** @source docs/questions.md */
export const getCoinMerkleTree = defineRoute({
  id: 'getCoinMerkleTree',
  base: '/api/v1',
  path: '/accounts/snapshot/merkle',
  methods: ['get'],
  tag: 'accounts',
  summary: 'Merkle root of all coin balances as of a finalized block',
  description: `Returns the root of a Merkle tree of all accounts with coins (at most ${maxRows}) and their balances as in /accounts/snapshot, and the proof of one account, for airdrops with OpenZeppelin contracts. format=dump returns the complete tree for StandardMerkleTree.load(). The ${confirmedRows} highest balances, and those of the ${confirmedRows} accounts that produced the most later blocks, are compared with a node.`,
  params: z.object({}),
  query: z.object({ ...coinBlockQuery, ...merkleQuery }),
  response: z
    .strictObject({
      ...coinSnapshotFields,
      ...merkleFields,
      confirmedByNode: z.boolean().meta({
        description: `true: a node returned the same ${confirmedRows} highest balances, and those of block producers; false: no node has the state of the block, so rewards that the chain pays without a transaction can be missing`,
      }),
      index: IndexInfo,
    })
    .meta({ id: 'CoinMerkleTree' }),
  errors: ['bad_query', 'not_found', 'indexing', 'rate_limited', 'state_unavailable', 'store_unavailable'],
  cost: 20,
  maxAgeSeconds: 1,
  example: '/accounts/snapshot/merkle',
  handle: async (deps: CoinSnapshotDeps, { query: { account, format, ...at }, caller, address }) => {
    const { state, block, found } = await readCoinBalances(deps, { caller, address }, at, { limit: maxRows + 1 });
    const held = `coins after block ${block}`;
    const tree = await makeTree(found, held);
    const isConfirmed = await isConfirmedByNode(deps, block, found);
    if (format === 'dump') return dumpTree(tree, block, { 'X-Confirmed-By-Node': String(isConfirmed) });
    return {
      block: await describeBlock(deps, state, block),
      accounts: found.holders,
      held: found.held,
      ...describeTree(tree, account, held),
      confirmedByNode: isConfirmed,
      index: genesisIndexInfo(deps, state),
    };
  },
});
