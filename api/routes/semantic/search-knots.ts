import { z } from 'zod';
import { type FoundKnot, searchKnots as search } from '#semantic/search-knots.ts';
import type { Identity } from '../../auth/access.ts';
import { defineRoute } from '../../define-route.ts';
import { ApiProblem } from '../../errors.ts';
import { indexInfo } from '../../freshness.ts';
import { Address, Count, HexAddress, HexHash, IndexInfo, IsoTime, Limit, Wei } from '../../schema/primitives.ts';

const TokenAmount = z.strictObject({
  address: HexAddress.nullable().meta({ description: 'Contract; null: the native coin' }),
  ...{ symbol: z.string(), name: z.string(), class: z.string() },
  amount: z.string().regex(/^\d+$/).meta({ description: 'In smallest units, decimal' }),
  decimals: Count,
});

const Knot = z
  .strictObject({
    knotId: z.string().meta({ description: '<txHash>:<logIndex>, or <txHash>:tx for the transaction itself' }),
    score: z.number().meta({ description: 'Comparable within one reply alone' }),
    matched: z.array(z.string()).meta({ description: 'Words that met: "phone ~ mobile" by likeness' }),
    wallet: HexAddress,
    kind: z.string(),
    direction: z.enum(['in', 'out', 'self']),
    status: z.enum(['ok', 'failed']),
    failReason: z.string().nullable(),
    token: TokenAmount,
    secondToken: TokenAmount.nullable(),
    tokenId: z.string().nullable(),
    counterparty: z
      .strictObject({ address: HexAddress, label: z.string().nullable(), category: z.string().nullable() })
      .nullable(),
    method: z.string().nullable(),
    methodId: z.string().nullable(),
    fee: Wei,
    usd: z.number().nullable(),
    timestamp: IsoTime,
    blockNumber: Count,
    txHash: HexHash,
    txIndex: Count,
    logIndex: Count.nullable().meta({ description: 'null: the transaction itself' }),
  })
  .meta({ id: 'Knot' });

const Interpretation = z.strictObject({
  predicates: z.array(
    z.strictObject({
      ...{ field: z.string(), value: z.string(), words: z.string() },
      effect: z.enum(['filter', 'boost', 'order']),
    }),
  ),
  meaning: z.string().meta({ description: 'What was searched by its meaning' }),
  text: z.string().meta({ description: 'The same in a sentence' }),
});

const zeros = /^0x0+$/;

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
    items: z.array(Knot),
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
  handle: (deps, { query: { string_id, q, limit }, identity }) => {
    const wallet = scopeOf(identity, string_id);
    return deps.snapshots.run(async (state) => {
      const found = await search(deps.search, {
        ...{ wallet, query: q, limit, now: new Date(), throughBlock: state.head },
      });
      const { interpretation, relaxed, embedder, isDegraded } = found;
      return {
        items: found.items.map(knotOf),
        interpretation: { ...interpretation, predicates: [...interpretation.predicates] },
        ...{ relaxed: [...relaxed], embedder, degraded: isDegraded, limit, index: indexInfo(deps, state) },
      };
    });
  },
});

/** @returns the wallet; undefined: all. @throws ApiProblem string_id_required, wallet_scope_violation */
export function scopeOf(identity: Identity | undefined, wallet: string | undefined): string | undefined {
  if (!identity) throw new ApiProblem('unauthorized', 'send Authorization: Bearer or X-API-Key');
  if (identity.isOperator) return wallet;
  if (wallet === undefined) throw new ApiProblem('string_id_required', 'string_id names one of your linked wallets');
  if (!identity.wallets.includes(wallet))
    throw new ApiProblem('wallet_scope_violation', 'string_id is no wallet that is linked to this identity');
  return wallet;
}

function knotOf({ knotId, score, matched, shape, record }: FoundKnot): z.input<typeof Knot> {
  const { kind, direction, status, label, category, method } = shape;
  return {
    ...{ knotId, score, matched: [...matched], wallet: record.wallet, kind, direction, status },
    failReason: shape.failReason || null,
    token: {
      address: zeros.test(record.token) ? null : record.token,
      ...{ symbol: shape.tokenSymbol, name: shape.tokenName, class: shape.tokenClass },
      ...{ amount: record.amount, decimals: record.decimals },
    },
    secondToken:
      shape.secondTokenSymbol === ''
        ? null
        : {
            address: zeros.test(record.second_token) ? null : record.second_token,
            ...{ symbol: shape.secondTokenSymbol, name: shape.secondTokenName, class: shape.secondTokenClass },
            ...{ amount: record.second_amount, decimals: record.second_decimals },
          },
    tokenId: record.token_id,
    counterparty: zeros.test(record.counterparty)
      ? null
      : { address: record.counterparty, label: label || null, category: category || null },
    method: method || null,
    methodId: zeros.test(record.method_id) ? null : record.method_id,
    ...{ fee: record.fee, usd: record.usd, timestamp: new Date(record.time * 1000).toISOString() },
    ...{ blockNumber: Number(record.block_number), txHash: record.tx_hash, txIndex: record.tx_index },
    logIndex: record.log_index < 0 ? null : record.log_index,
  };
}
