import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { assertWalletScope } from '../../read/identity/wallet-scope.ts';
import { Address } from '../../terms/primitives.ts';
import { HistoryPage, type HistoryPageDeps, HistoryQuery, readHistoryPage } from '../accounts/history-page.ts';

export const getSemanticHistory = defineRoute({
  id: 'getSemanticHistory',
  base: '/v1',
  path: '/history/:wallet',
  methods: ['get'],
  tag: 'semantic',
  summary: 'History of a linked wallet',
  description:
    'Returns the same rows as /accounts/{address}/transactions. To export all rows, send from and to, and follow nextCursor until hasMore is false. A cursor is valid only for the same caller and parameters.',
  params: z.object({ wallet: Address }),
  query: HistoryQuery,
  response: HistoryPage,
  errors: [
    ...(['bad_query', 'invalid_cursor', 'unauthorized', 'invalid_api_key', 'key_revoked'] as const),
    ...(['wallet_scope_violation', 'snapshot_invalidated', 'indexing', 'store_unavailable'] as const),
  ],
  access: 'credential',
  maxAgeSeconds: 0,
  example: '/history/{account}?limit=2',
  handle: async (deps: HistoryPageDeps, { params, query, identity }) => {
    assertWalletScope(identity, params.wallet);
    return readHistoryPage(deps, params.wallet, query, identity.id);
  },
});
