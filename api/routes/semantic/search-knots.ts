import { z } from 'zod';
import { type SearchDeps, searchKnots as search } from '#semantic/search-knots.ts';
import { defineRoute } from '../../http/define-route.ts';
import { indexInfo } from '../../read/chain/freshness.ts';
import type { Identity } from '../../read/identity/access.ts';
import { assertWalletScope } from '../../read/identity/wallet-scope.ts';
import type { CoverageDeps, SnapshotDeps } from '../../read/reader-deps.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { Address, Count, IndexInfo, Limit } from '../../terms/primitives.ts';
import { knotFields, knotOf } from './knot.ts';

const FoundKnotReply = z
  .strictObject({
    ...knotFields,
    score: z.number().meta({ description: 'Comparable within one reply alone' }),
    matched: z.array(z.string()).meta({ description: 'Words that met: "phone ~ mobile" by likeness' }),
  })
  .meta({ id: 'FoundKnot' });

const Interpretation = z.strictObject({
  predicates: z.array(
    z.strictObject({
      field: z.string(),
      value: z.string(),
      words: z.string(),
      effect: z.enum(['filter', 'boost', 'order']),
    }),
  ),
  meaning: z.string().meta({ description: 'What was searched by its meaning' }),
  text: z.string().meta({ description: 'The same in a sentence' }),
});

/** @source specification 4.12 */
export const searchKnots = defineRoute({
  id: 'searchKnots',
  base: '/v1',
  path: '/search',
  methods: ['get'],
  tag: 'semantic',
  summary: 'Events of a linked wallet by plain words, the best first; operators may leave the wallet out',
  section: '4.12',
  params: z.object({}),
  query: z.object({
    string_id: Address.optional().meta({ description: 'Wallet; only an operator may leave it out' }),
    q: z.string().trim().min(1, 'must say what to look for').max(500, 'must not be longer than 500 characters').meta({
      description: 'Plain words: "payments over 1000 USDC last month"',
      example: 'what I spent on food last week',
    }),
    limit: Limit,
  }),
  response: z.strictObject({
    items: z.array(FoundKnotReply),
    interpretation: Interpretation,
    relaxed: z.array(z.string()).meta({ description: 'Rules given up because nothing fulfilled all of them' }),
    embedder: z.string(),
    degraded: z.boolean().meta({ description: 'The better model was not to be had: local word vectors stood in' }),
    limit: Count,
    index: IndexInfo,
  }),
  errors: [
    'bad_query',
    'string_id_required',
    'unauthorized',
    'wallet_scope_violation',
    'indexing',
    'store_unavailable',
  ],
  access: 'credential',
  maxAgeSeconds: 0,
  example: '/search?string_id={account}&q=received&limit=2',
  handle: (
    deps: SnapshotDeps & CoverageDeps & { readonly search: SearchDeps },
    { query: { string_id, q, limit }, identity },
  ) => {
    const wallet = scopeOf(identity, string_id);
    return deps.snapshots.run(async (state) => {
      const found = await search(deps.search, {
        wallet,
        query: q,
        limit,
        now: new Date(),
        throughBlock: state.head,
      });
      const { interpretation, relaxed, embedder, isDegraded } = found;
      return {
        items: found.items.map(({ score, matched, shape, record }) => ({
          ...knotOf(record, shape),
          score,
          matched: [...matched],
        })),
        interpretation: { ...interpretation, predicates: [...interpretation.predicates] },
        relaxed: [...relaxed],
        embedder,
        degraded: isDegraded,
        limit,
        index: indexInfo(deps, state),
      };
    });
  },
});

/** @returns the wallet; undefined: all. @throws ApiProblem string_id_required, wallet_scope_violation */
export function scopeOf(identity: Identity, wallet: string | undefined): string | undefined {
  if (wallet !== undefined) assertWalletScope(identity, wallet);
  else if (!identity.isOperator)
    throw new ApiProblem('string_id_required', 'string_id names one of your linked wallets');
  return wallet;
}
