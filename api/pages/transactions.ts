import { html } from '../drawing/html.ts';
import type { FigureDeps } from '../read/chain/figures.ts';
import type { SnapshotDeps } from '../read/reader-deps.ts';
import { listTransactions } from '../routes/transactions/list-transactions.ts';
import { callRoute, type RouteDeps, readParameters } from './ask.ts';
import { definePage } from './page.ts';
import { type FilterField, leastCoinField, listFields, readDates, readLeast, withForm } from './parts/filters.ts';
import { methodField, readMethod } from './parts/method-filter.ts';
import { pager } from './parts/pager.ts';
import { countRows, readChainTotal, type Total } from './parts/total.ts';
import { transactionTable } from './parts/transactions.ts';

const fields: readonly FilterField[] = [
  {
    name: 'status',
    label: 'Outcome',
    options: [
      ['', 'any'],
      ['1', 'succeeded'],
      ['0', 'failed'],
    ],
  },
  methodField,
  { name: 'from', label: 'Sender', placeholder: 'address' },
  { name: 'to', label: 'Recipient', placeholder: 'address' },
  leastCoinField,
  ...listFields,
];

export const transactionsPage = definePage({
  id: 'transactions',
  path: '/txs',
  nav: 'Transactions',
  maxAgeSeconds: 1,
  handle: (deps: RouteDeps<typeof listTransactions> & FigureDeps & SnapshotDeps, request) =>
    withForm(request, fields, async (form) => {
      const { query } = request;
      const names = ['from', 'to', 'status', 'minValue', 'fromBlock', 'toBlock', 'fromTime', 'toTime'];
      const conditions = {
        ...readParameters(query, ...names),
        ...readDates(query),
        ...readLeast(query),
        ...(await readMethod(deps, query)),
      };
      const requested = { limit: '25', ...readParameters(query, 'cursor', 'limit', 'order'), ...conditions };
      const [list, total] = await Promise.all([
        callRoute(deps, listTransactions, {}, requested),
        readTotal(deps, conditions),
      ]);
      const empty = list.hasMore
        ? 'No transactions match in this part of the chain: see the next page.'
        : 'No transactions match.';
      const body = html`<h1>Transactions</h1>
${form}
${transactionTable(request, list.items, { empty })}${pager(request, list, 'transactions', total)}`;
      return { title: 'Transactions', index: list.index, body };
    }),
});

type Conditions = Readonly<Record<string, string>>;

async function readTotal(deps: SnapshotDeps & FigureDeps, conditions: Conditions): Promise<Total | undefined> {
  if (Object.keys(conditions).length === 0) return readChainTotal(deps, 'transactions');
  const { from, to, status, method, fromTime, toTime, fromBlock, toBlock, ...same } = conditions;
  // a statistics query assigns no method to a creation, but the list shows the first bytes of its code as its method
  if ([method, fromBlock, toBlock].some((given) => given !== undefined)) return undefined;
  const outcome = status === undefined ? {} : { status: status === '1' ? 'success' : 'failure' };
  return countRows('transactions', { ...same, ...outcome, sender: from, recipient: to, from: fromTime, to: toTime });
}
