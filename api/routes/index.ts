/** The only list of endpoints; its order is the order of the docs. */
import type { AnyRoute } from '../define-route.ts';
import { getAccount } from './accounts/get-account.ts';
import { listAccountTransactions } from './accounts/list-account-transactions.ts';
import { getAnchor } from './anchors/get-anchor.ts';
import { listAnchors, listLatestAnchors } from './anchors/list-anchors.ts';
import { getCompatible } from './compatible/get-compatible.ts';
import { getStats } from './stats/get-stats.ts';
import { getStatus } from './status/get-status.ts';
import { getTransaction } from './transactions/get-transaction.ts';
import { listLatestTransactions, listTransactions } from './transactions/list-transactions.ts';

export const routes: readonly AnyRoute[] = [
  getStats,
  getStatus,
  listAnchors,
  listLatestAnchors,
  getAnchor,
  listTransactions,
  listLatestTransactions,
  getTransaction,
  getAccount,
  listAccountTransactions,
  getCompatible,
];
