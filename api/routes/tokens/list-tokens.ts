import { z } from 'zod';
import { hexDigits } from '#chain/codec/hex.ts';
import { known } from '#runtime/known.ts';
import { rollupParameters } from '#sql/snapshot.ts';
import { defineRoute } from '../../http/define-route.ts';
import { genesisIndexInfo } from '../../read/chain/freshness.ts';
import { makeKeyedPage } from '../../read/chain/paging.ts';
import type { ChainDeps, ListDeps, TimeDeps } from '../../read/reader-deps.ts';
import { countRecentTransfers } from '../../read/tokens/count-recent-transfers.ts';
import type { RecentTransfersDeps } from '../../read/tokens/recent-transfers.ts';
import { type CursorKey, damaged, decodeCursor } from '../../terms/cursor.ts';
import { pageParameters, toListSchema } from '../../terms/primitives.ts';
import { ActiveToken, TokenStandardName, toToken } from './token.ts';

const outside = { at_value: '18446744073709551615', at_token: 'ff'.repeat(20) };

export const listTokens = defineRoute({
  id: 'listTokens',
  base: '/api/v1',
  path: '/tokens',
  methods: ['get'],
  tag: 'tokens',
  summary: 'List of tokens',
  description: 'By default, the tokens with most holders come first.',
  params: z.object({}),
  query: z.object({
    q: z
      .string()
      .max(100, 'must have at most 100 characters')
      .optional()
      .meta({ description: 'Return only tokens whose name or symbol contains this text', example: 'USD' }),
    type: TokenStandardName.optional().meta({ description: 'Return only tokens of this standard' }),
    sort: z
      .enum(['holders', 'transfers', 'age'], 'must be holders, transfers or age')
      .default('holders')
      .meta({ description: 'Sort order: most holders first, most transfers first, or newest first (age)' }),
    ...pageParameters,
  }),
  response: toListSchema(ActiveToken),
  errors: ['bad_query', 'invalid_cursor', 'indexing', 'store_unavailable'],
  maxAgeSeconds: 1,
  example: '/tokens?limit=2',
  handle: (
    deps: ListDeps & ChainDeps & TimeDeps & RecentTransfersDeps,
    { query: { q = '', type = '', sort, limit, cursor } },
  ) => {
    const filter = deps.cursors(['tokens', q, type, sort]);
    const start = cursor === undefined ? outside : parsePosition(decodeCursor(filter, cursor).key);
    return deps.snapshots.run(async (state) => {
      const rows = await deps.database.read('list_tokens', {
        ...rollupParameters(state),
        ...start,
        text: q,
        standard: type,
        sort,
        limit: limit + 1,
      });
      const { page, ...more } = makeKeyedPage(rows, filter, limit, (row) => [row.sort_value, hexDigits(row.address)]);
      const tokens = page.map(({ address }) => address);
      const counts = await countRecentTransfers(deps, state, tokens);
      const items = page.map((row, i) => ({
        ...toToken(deps.settings.chainId, row),
        transfers24h: known(counts[i], 'the transfers of a token'),
      }));
      return { items, ...more, limit, index: genesisIndexInfo(deps, state) };
    });
  },
});

function parsePosition([value, token]: CursorKey) {
  if (!/^\d{1,20}$/.test(String(value)) || !/^[0-9a-f]{40}$/.test(String(token))) throw damaged();
  return { at_value: String(value), at_token: String(token) };
}
