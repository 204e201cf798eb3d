import { html } from '../drawing/html.ts';
import { listTransactions } from '../routes/transactions/list-transactions.ts';
import { callRoute, type RouteDeps, readParameters } from './ask.ts';
import { definePage } from './page.ts';
import {
  dateFields,
  type FilterField,
  filterForm,
  orderField,
  readCoins,
  readDates,
  sizeField,
} from './parts/filters.ts';
import { methodField, readMethod } from './parts/method-filter.ts';
import { pager } from './parts/pager.ts';
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
  { name: 'least', label: 'At least', placeholder: 'coins' },
  ...dateFields,
  orderField,
  sizeField,
];

export const transactionsPage = definePage({
  id: 'transactions',
  path: '/txs',
  nav: 'Transactions',
  maxAgeSeconds: 1,
  handle: async (deps: RouteDeps<typeof listTransactions>, request) => {
    const { query } = request;
    const minValue = readCoins(query, 'least');
    const conditions = ['from', 'to', 'status', 'minValue', 'fromBlock', 'toBlock', 'fromTime', 'toTime'];
    const requested = {
      limit: '25',
      ...readParameters(query, 'cursor', 'limit', 'order', ...conditions),
      ...readDates(query),
      ...(minValue === undefined ? {} : { minValue }),
      ...(await readMethod(deps, query)),
    };
    const list = await callRoute(deps, listTransactions, {}, requested);
    const empty = list.hasMore
      ? 'No transactions match in this part of the chain: see the next page.'
      : 'No transactions match.';
    const body = html`<h1>Transactions</h1>
${filterForm(request, fields)}
${transactionTable(request, list.items, { empty })}${pager(request, list, 'transactions')}`;
    return { title: 'Transactions', index: list.index, body };
  },
});
