import { z } from 'zod';
import { codesJob, readMark } from '#sql/job-marks.ts';
import type { ChainState } from '#sql/snapshot.ts';
import { defineRoute } from '../../http/define-route.ts';
import type { TracedReader } from '../../read/accounts/internal-calls/traced-reader.ts';
import { indexInfo, readInternalCoverage } from '../../read/chain/freshness.ts';
import { readCode } from '../../read/contracts/code.ts';
import { readSimilar } from '../../read/contracts/similar-contracts.ts';
import type { VerifiedContracts } from '../../read/contracts/verified-contracts.ts';
import type { CoverageDeps, SnapshotDeps, StoreDeps } from '../../read/reader-deps.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { Address, Count, HexAddress, IndexInfo, Limit } from '../../terms/primitives.ts';

const SimilarContract = z
  .strictObject({
    address: HexAddress,
    name: z.string().nullable().meta({ description: 'Name of the verified contract; null if it is not verified' }),
  })
  .meta({ id: 'SimilarContract' });

interface SimilarRouteDeps extends StoreDeps, SnapshotDeps, CoverageDeps {
  readonly verified: VerifiedContracts;
  readonly traced: TracedReader;
}

export const listSimilarContracts = defineRoute({
  id: 'listSimilarContracts',
  base: '/api/v1',
  path: '/contracts/:address/similar',
  methods: ['get'],
  tag: 'contracts',
  summary: 'Other contracts with the same code, by address',
  description:
    'Lists contracts that have the same code as the requested contract at the newest block; only the metadata hash may differ. Contracts with other immutables are not listed, but the field similarTo of the contract can name one. A page can have fewer items than limit. The list has contracts that indexed transactions created, and contracts that other contracts created in traced blocks.',
  params: z.object({ address: Address }),
  query: z.object({
    limit: Limit,
    cursor: Address.optional().meta({ description: 'nextCursor of the previous page' }),
  }),
  response: z
    .strictObject({
      items: z.array(SimilarContract),
      nextCursor: z.string().nullable(),
      hasMore: z.boolean(),
      limit: Count,
      coverage: z.strictObject({
        through: Count.meta({ description: 'The list has contracts that were created up to this block' }),
        internal: z.boolean().meta({ description: 'true if all blocks up to this one are traced' }),
      }),
      index: IndexInfo,
    })
    .meta({ id: 'SimilarContractPage' }),
  errors: ['bad_query', 'not_found', 'indexing', 'node_unavailable', 'state_unavailable', 'store_unavailable'],
  cost: 5,
  maxAgeSeconds: 1,
  example: '/contracts/{token}/similar?limit=5',
  handle: (deps: SimilarRouteDeps, { params: { address }, query: { limit, cursor } }) => {
    const read = async (state: ChainState) => {
      const through = await readMark(deps, codesJob);
      if (through < 0)
        throw new ApiProblem('indexing', 'the codes of contracts are not read yet: the backfill comes first');
      const code = await readCode(deps.client, address);
      if (code === '0x') throw new ApiProblem('not_found', `${address} has no code: it is not a contract`);
      const { addresses, last } = await readSimilar(deps, code, limit, cursor);
      const others = addresses.filter((other) => other !== address);
      const names = await deps.verified.names(others);
      const { internal } = await readInternalCoverage(deps, state, state.startBlock, through);
      return {
        items: others.map((other) => ({ address: other, name: names.get(other) ?? null })),
        nextCursor: last ?? null,
        hasMore: last !== undefined,
        limit,
        coverage: { through, internal },
        index: indexInfo(deps, state),
      };
    };
    // not repeated on a newer snapshot, because it reads code from a node
    return deps.snapshots.run(read, { isExpensive: true });
  },
});
