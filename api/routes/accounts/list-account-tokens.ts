import { z } from 'zod';
import { hexDigits } from '#chain/codec/hex.ts';
import { defineRoute } from '../../http/define-route.ts';
import { type HoldDeps, readBalances } from '../../read/accounts/holdings.ts';
import { genesisIndexInfo } from '../../read/chain/freshness.ts';
import { makeKeyedPage } from '../../read/chain/paging.ts';
import type { ChainDeps, ListDeps } from '../../read/reader-deps.ts';
import { damaged, decodeCursor } from '../../terms/cursor.ts';
import { Count, HexAddress, pageParameters, toListSchema } from '../../terms/primitives.ts';
import { AccountId } from './account-id.ts';

const TokenBalance = z
  .strictObject({
    chainId: Count,
    token: HexAddress,
    name: z.string().nullable(),
    symbol: z.string().nullable(),
    decimals: Count.nullable(),
    balance: z.string().meta({
      description:
        'Token balance of the account in the smallest unit: all transfers to the account minus all transfers from it',
    }),
    block: Count.meta({ description: 'Block for which the balance was computed' }),
    source: z.literal('indexed'),
  })
  .meta({ id: 'TokenBalance' });

export const listAccountTokens = defineRoute({
  id: 'listAccountTokens',
  base: '/api/v1',
  path: '/accounts/:address/tokens',
  methods: ['get'],
  tag: 'accounts',
  summary: 'TOKEN-20 (ERC-20) balances of one account',
  description:
    'The balances are sorted by token address. They are wrong for tokens whose balances change without transfer events, such as a wrapped coin that emits only Deposit and Withdrawal.',
  params: z.object({ address: AccountId }),
  query: z.object({
    zero: z
      .enum(['true', 'false'], 'must be true or false')
      .default('false')
      .meta({ type: 'boolean', description: 'true: include tokens whose balance is now zero' }),
    ...pageParameters,
  }),
  response: toListSchema(TokenBalance),
  errors: ['bad_query', 'use_registry_entity', 'invalid_cursor', 'indexing', 'store_unavailable'],
  maxAgeSeconds: 1,
  example: '/accounts/{account}/tokens?limit=2',
  handle: (deps: ListDeps & HoldDeps & ChainDeps, { params: { address }, query: { zero, limit, cursor } }) => {
    const filter = deps.cursors(['account tokens', address, zero]);
    const [last = ''] = cursor === undefined ? [] : decodeCursor(filter, cursor).key;
    if (!/^([0-9a-f]{40})?$/.test(String(last))) throw damaged();
    return deps.snapshots.run(async (state) => {
      const query = { withZero: zero === 'true', after: String(last), limit: limit + 1 };
      const rows = await readBalances(deps, state, address, query);
      const { page, ...more } = makeKeyedPage(rows, filter, limit, (row) => [hexDigits(row.token_hex)]);
      const items = page.map(({ token_hex: token, amount: balance, name, symbol, decimals }) => ({
        chainId: deps.settings.chainId,
        token,
        name,
        symbol,
        decimals,
        balance,
        block: state.head,
        source: 'indexed' as const,
      }));
      return { items, ...more, limit, index: genesisIndexInfo(deps, state) };
    });
  },
});
