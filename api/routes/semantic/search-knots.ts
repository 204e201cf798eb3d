import { z } from 'zod';
import { DollarsUnknown, type SearchDeps, searchKnots as search } from '#semantic/search-knots.ts';
import { knotsJob, readMark } from '#sql/job-marks.ts';
import { finalThrough } from '#sql/snapshot.ts';
import { defineRoute } from '../../http/define-route.ts';
import { genesisIndexInfo } from '../../read/chain/freshness.ts';
import type { Identity } from '../../read/identity/access.ts';
import { assertWalletScope } from '../../read/identity/wallet-scope.ts';
import { readDollarPrices } from '../../read/market/dollar-prices.ts';
import type { PriceDeps } from '../../read/market/price.ts';
import type { CoverageDeps, SnapshotDeps, StoreDeps } from '../../read/reader-deps.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { Address, Count, IndexInfo, Limit } from '../../terms/primitives.ts';
import { knotFields, toKnot } from './knot.ts';

const FoundKnotReply = z
  .strictObject({
    ...knotFields,
    score: z
      .number()
      .meta({ description: 'Relevance of this event; compare it only with other events of the same reply' }),
    matched: z
      .array(z.string())
      .meta({ description: 'Words that matched the query; "phone ~ mobile" is a match by meaning' }),
  })
  .meta({ id: 'FoundKnot' });

/** A search is complete if at most this many finalized blocks lack derived events. A job derives them in steps. */
const maxDerivedLag = 100;

const Interpretation = z.strictObject({
  predicates: z.array(
    z.strictObject({
      field: z.string(),
      value: z.string(),
      words: z.string(),
      effect: z.enum(['filter', 'boost', 'order']),
    }),
  ),
  meaning: z.string().meta({ description: 'Part of the query that the search compares by meaning' }),
  text: z.string().meta({ description: 'Interpretation of the query in words' }),
});

/** @source docs/semantic.md */
export const searchKnots = defineRoute({
  id: 'searchKnots',
  base: '/v1',
  path: '/search',
  methods: ['get'],
  tag: 'semantic',
  summary: 'Searches the events of a linked wallet in plain language',
  description: 'The events that match best come first.',
  params: z.object({}),
  query: z.object({
    string_id: Address.optional().meta({
      description: 'Address of a linked wallet; optional only for operators (default: all wallets)',
    }),
    q: z.string().trim().min(1, 'must not be empty').max(500, 'must have at most 500 characters').meta({
      description: 'Query in plain language, for example "payments over 1000 USDC last month"',
      example: 'what I spent on food last week',
    }),
    limit: Limit,
  }),
  response: z.strictObject({
    items: z.array(FoundKnotReply),
    interpretation: Interpretation,
    relaxed: z
      .array(z.string())
      .meta({ description: 'Filters that the search ignored, because no event matched all filters' }),
    embedder: z.string(),
    degraded: z.boolean().meta({
      description: 'true if the configured embedding model was unavailable, so that the search used local word vectors',
    }),
    limit: Count,
    eventsThrough: Count.nullable().meta({
      description:
        'Last block whose events the search finds: events are derived after their block is final. null: none yet. If it is far behind, index.complete is false',
    }),
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
  cost: 5,
  maxAgeSeconds: 0,
  example: '/search?string_id={account}&q=received&limit=2',
  handle: async (
    deps: SnapshotDeps & CoverageDeps & StoreDeps & PriceDeps & { readonly search: SearchDeps },
    { query: { string_id, q, limit }, identity },
  ) => {
    const wallet = getWalletScope(identity, string_id);
    const dollarPrices = await readDollarPrices(deps);
    return deps.snapshots.run(async (state) => {
      const eventsThrough = Math.min(await readMark(deps, knotsJob), state.head);
      const found = await search(deps.search, {
        wallet,
        query: q,
        limit,
        now: new Date(),
        throughBlock: state.head,
        dollarPrices,
      }).catch(explainDollars);
      const { interpretation, relaxed, embedder, isDegraded } = found;
      const index = genesisIndexInfo(deps, state);
      const isDerived = eventsThrough >= finalThrough(state) - maxDerivedLag;
      return {
        items: found.items.map(({ score, matched, shape, record }) => ({
          ...toKnot(record, shape),
          score,
          matched: [...matched],
        })),
        interpretation: { ...interpretation, predicates: [...interpretation.predicates] },
        relaxed: [...relaxed],
        embedder,
        degraded: isDegraded,
        limit,
        eventsThrough: eventsThrough < 0 ? null : eventsThrough,
        index: { ...index, complete: index.complete && isDerived },
      };
    });
  },
});

function explainDollars(error: unknown): never {
  if (!(error instanceof DollarsUnknown)) throw error;
  throw new ApiProblem(
    'bad_query',
    'the coin has no price in dollars now: search for an amount of a token, such as "over 500 USDC", or for stablecoins',
  );
}

/**
 * Returns the wallet to search; undefined: all wallets.
 * @throws ApiProblem string_id_required, wallet_scope_violation
 */
export function getWalletScope(identity: Identity, wallet: string | undefined): string | undefined {
  if (wallet !== undefined) assertWalletScope(identity, wallet);
  else if (!identity.isOperator)
    throw new ApiProblem('string_id_required', 'string_id is missing: send the address of one of your linked wallets');
  return wallet;
}
