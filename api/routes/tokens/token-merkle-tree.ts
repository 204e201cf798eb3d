import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { OtherReply } from '../../http/reply.ts';
import { indexInfo } from '../../read/chain/freshness.ts';
import { readHoldersAt, requireBlock } from '../../read/tokens/balances-at.ts';
import { leafEncoding, MerkleTree } from '../../read/tokens/merkle-tree.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { Address, HexAddress, IndexInfo } from '../../terms/primitives.ts';
import {
  assertFits,
  Balance,
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
    account: Address.optional().meta({ description: 'Account for which to return a proof' }),
    format: z
      .enum(['json', 'dump'], 'must be json or dump')
      .default('json')
      .meta({ description: 'Format of the reply' }),
  }),
  response: z
    .strictObject({
      ...snapshotFields,
      root: z.string().meta({ description: 'Root of the tree, 0x and 64 hex digits' }),
      leafEncoding: z.array(z.string()).meta({ description: 'ABI types of a leaf' }),
      account: z
        .strictObject({ address: HexAddress, balance: Balance, proof: z.array(z.string()) })
        .nullable()
        .meta({ description: 'Balance and proof of the requested account; null if none was requested' }),
      index: IndexInfo,
    })
    .meta({ id: 'TokenMerkleTree' }),
  errors: ['bad_query', 'not_found', 'indexing', 'store_unavailable'],
  cost: 20,
  maxAgeSeconds: 1,
  example: '/tokens/{token}/snapshot/merkle?block=100',
  handle: (deps: SnapshotRouteDeps, { params: { address }, query: { standard, account, format, ...when } }) =>
    deps.snapshots.run(
      async (state) => {
        const of = await requireStandard(deps, state, address, standard);
        const block = await requireBlock(deps, state, when);
        const found = await readHoldersAt(deps, state, of, block, { limit: maxRows + 1 });
        assertFits(found);
        if (found.rows.length === 0)
          throw new ApiProblem('not_found', `token ${address} has no holder after block ${block}`);
        const tree = await MerkleTree.of(found.rows);
        if (format === 'dump') return new OtherReply('application/json', JSON.stringify(tree.dump()));
        const proved = account === undefined ? undefined : tree.prove(account);
        if (account !== undefined && !proved)
          throw new ApiProblem('not_found', `${account} holds none of the token after block ${block}`);
        return {
          ...of,
          block: await describeBlock(deps, state, block),
          ...{ holders: found.holders, held: found.held, root: tree.root, leafEncoding: [...leafEncoding] },
          account: account !== undefined && proved ? { address: account, ...proved } : null,
          index: indexInfo(deps, state),
        };
      },
      { isExpensive: true },
    ),
});
