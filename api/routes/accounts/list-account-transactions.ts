import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { AccountId } from './account-id.ts';
import { HistoryPage, type HistoryPageDeps, HistoryQuery, readHistoryPage } from './history-page.ts';

export const listAccountTransactions = defineRoute({
  id: 'listAccountTransactions',
  base: '/api/v1',
  path: '/accounts/:address/transactions',
  methods: ['get'],
  tag: 'accounts',
  summary: 'Transactions of one account',
  description: 'By default, the newest transactions come first. The field coverage shows whether the list is complete.',
  params: z.object({ address: AccountId }),
  query: HistoryQuery,
  response: HistoryPage,
  errors: [
    'bad_query',
    'use_registry_entity',
    'invalid_cursor',
    'snapshot_invalidated',
    'indexing',
    'store_unavailable',
  ],
  maxAgeSeconds: 1,
  example: '/accounts/{account}/transactions?limit=2',
  handle: (deps: HistoryPageDeps, { params, query }) => readHistoryPage(deps, params.address, query),
});
