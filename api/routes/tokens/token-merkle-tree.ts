import { z } from 'zod';
import type { ChainState } from '#sql/snapshot.ts';
import { defineRoute } from '../../http/define-route.ts';
import { indexInfo } from '../../read/chain/freshness.ts';
import type { QueryTurns } from '../../read/query/query-turns.ts';
import { readHoldersAt, requireBlock } from '../../read/tokens/balances-at.ts';
import { Address, IndexInfo } from '../../terms/primitives.ts';
import { describeTree, dumpTree, makeTree, merkleFields, merkleQuery } from './merkle-reply.ts';
import {
  describeBlock,
  maxRows,
  requireStandard,
  type SnapshotRouteDeps,
  snapshotFields,
  snapshotQuery,
} from './token-snapshot.ts';

/** @source docs/questions.md */
export const getTokenMerkleTree = defineRoute({
  id: 'getTokenMerkleTree',
  base: '/api/v1',
  path: '/tokens/:address/snapshot/merkle',
  methods: ['get'],
  tag: 'tokens',
  summary: 'Merkle root of the holders of a token as of a block',
  description: `Returns the root of a Merkle tree of all holders and balances (at most ${maxRows}), and the proof of one account, for airdrops with OpenZeppelin contracts. format=dump returns the complete tree for StandardMerkleTree.load().`,
  params: z.object({ address: Address }),
  query: z.object({
    ...snapshotQuery,
    ...merkleQuery,
  }),
  response: z
    .strictObject({
      ...snapshotFields,
      ...merkleFields,
      index: IndexInfo,
    })
    .meta({ id: 'TokenMerkleTree' }),
  errors: ['bad_query', 'not_found', 'indexing', 'rate_limited', 'store_unavailable'],
  cost: 20,
  maxAgeSeconds: 1,
  example: '/tokens/{token}/snapshot/merkle?block=100',
  handle: (
    deps: SnapshotRouteDeps & { readonly queryTurns: QueryTurns },
    { params: { address }, query: { standard, account, format, ...when }, caller, address: ip },
  ) => {
    const read = async (state: ChainState) => {
      const of = await requireStandard(deps, state, address, standard);
      const block = await requireBlock(deps, state, when);
      const found = await readHoldersAt(deps, state, of, block, { limit: maxRows + 1 });
      const held = `token ${address} after block ${block}`;
      const tree = await makeTree(found, held);
      if (format === 'dump') return dumpTree(tree, block);
      return {
        ...of,
        block: await describeBlock(deps, state, block),
        ...{ holders: found.holders, held: found.held },
        ...describeTree(tree, account, held),
        index: indexInfo(deps, state),
      };
    };
    // one request at a time, because it hashes all balances
    const run = () => deps.snapshots.run(read, { isExpensive: true });
    return deps.queryTurns.runExpensive({ caller, address: ip }, run);
  },
});
