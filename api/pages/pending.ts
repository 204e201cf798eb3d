import { grouped } from '../drawing/grouped.ts';
import { html } from '../drawing/html.ts';
import { listPendingTransactions } from '../routes/transactions/list-pending.ts';
import { ApiProblem } from '../terms/errors.ts';
import { callRoute, type RouteDeps, returnProblem } from './ask.ts';
import { definePage } from './page.ts';
import { partyLink, txLink } from './parts/links.ts';
import { coinAmount, counted, gwei } from './parts/number.ts';
import { table } from './parts/table.ts';
import { methodView } from './parts/transactions.ts';
import { worth } from './parts/worth.ts';
import { sentence } from './problem-page.ts';

export const pendingPage = definePage({
  id: 'pending',
  path: '/pending',
  maxAgeSeconds: 1,
  isUnpinned: true,
  handle: async (deps: RouteDeps<typeof listPendingTransactions>, { coin }) => {
    const title = 'Pending transactions';
    const page = await callRoute(deps, listPendingTransactions, {}, { limit: '100' }).catch(returnProblem);
    if (page instanceof ApiProblem)
      return { title, body: html`<h1>${title}</h1><p class="empty">Unknown: ${sentence(page.detail)}</p>` };
    const { items, ready, queued } = page;
    const body = html`<h1>${title}</h1><div id="state" data-live><p class="muted">The pool of one node has ${counted(ready, 'transaction')} that can be executed now and ${grouped(queued)} that wait for an earlier nonce. Other nodes can have other transactions. The highest tips come first; a transaction with only a gas price counts as a tip of that price.${items.length < ready + queued && ` The first ${grouped(items.length)} are shown.`}</p>${table(
      {
        caption: title,
        rows: items,
        empty: 'The pool is empty.',
        columns: [
          { title: 'Transaction', cell: (row) => html`${txLink(row.hash)}<small>${methodView(row)}</small>` },
          { title: 'State', cell: (row) => (row.queued ? 'waits for an earlier nonce' : 'ready') },
          { title: 'Nonce', isNumber: true, cell: (row) => grouped(row.nonce) },
          { title: 'From', cell: (row) => partyLink(row.from) },
          { title: 'To', cell: (row) => partyLink(row.to) },
          { title: 'Value', isNumber: true, cell: (row) => html`${coinAmount(row.value, coin)}${worth(row.value)}` },
          { title: 'Max fee per gas', isNumber: true, cell: (row) => gwei(row.maxFeePerGas) },
          {
            title: 'Max tip per gas',
            isNumber: true,
            cell: (row) => (row.maxPriorityFeePerGas === null ? 'gas price only' : gwei(row.maxPriorityFeePerGas)),
          },
        ],
      },
    )}</div>`;
    return { title, body };
  },
});
