import { listTransactions } from '../routes/transactions/list-transactions.ts';
import { callRoute, type RouteDeps, readParameters } from './ask.ts';
import { html } from './html.ts';
import { definePage } from './page.ts';
import { pager } from './parts/pager.ts';
import { transactionTable } from './parts/transactions.ts';

export const transactionsPage = definePage({
  id: 'transactions',
  path: '/txs',
  nav: 'Transactions',
  maxAgeSeconds: 1,
  handle: async (deps: RouteDeps<typeof listTransactions>, request) => {
    const conditions = ['from', 'to', 'status', 'method', 'minValue', 'fromBlock', 'toBlock', 'fromTime', 'toTime'];
    const requested = { limit: '25', ...readParameters(request.query, 'cursor', 'limit', 'order', ...conditions) };
    const list = await callRoute(deps, listTransactions, {}, requested);
    const status = request.query.get('status');
    const body = html`<h1>Transactions</h1>
<form class="filter" action="/txs"><label>Outcome <select name="status"><option value="">any</option><option value="1"${status === '1' && html` selected`}>succeeded</option><option value="0"${status === '0' && html` selected`}>failed</option></select></label> <button>Show</button></form>
${transactionTable(request, list.items, { empty: 'No transactions match.' })}${pager(request, list, 'transactions')}`;
    return { title: 'Transactions', index: list.index, body };
  },
});
