import { html } from '../drawing/html.ts';
import type { StoreDeps } from '../read/reader-deps.ts';
import { readTokenNames } from '../read/tokens/token-names.ts';
import { listTransfers } from '../routes/tokens/list-transfers.ts';
import { callRoute, type RouteDeps, readParameters } from './ask.ts';
import { definePage } from './page.ts';
import { type FilterField, listFields, readDates, withForm } from './parts/filters.ts';
import { emptyList, pager } from './parts/pager.ts';
import { countRows } from './parts/total.ts';
import { transferTable } from './parts/transfers.ts';

const fields: readonly FilterField[] = [
  {
    name: 'standard',
    label: 'Standard',
    options: [
      ['all', 'any'],
      ['erc20', 'ERC-20'],
      ['erc721', 'ERC-721'],
      ['erc1155', 'ERC-1155'],
    ],
  },
  { name: 'token', label: 'Token', placeholder: 'address' },
  { name: 'from', label: 'Sender', placeholder: 'address' },
  { name: 'to', label: 'Recipient', placeholder: 'address' },
  ...listFields,
];

export const transfersPage = definePage({
  id: 'transfers',
  path: '/tokentxns',
  maxAgeSeconds: 1,
  handle: (deps: RouteDeps<typeof listTransfers> & StoreDeps, request) =>
    withForm(request, fields, async (form) => {
      const { query } = request;
      const conditions = {
        standard: 'all',
        ...readParameters(query, 'standard', 'token', 'from', 'to'),
        ...readDates(query),
      };
      const requested = { limit: '25', ...readParameters(query, 'cursor', 'limit', 'order'), ...conditions };
      const list = await callRoute(deps, listTransfers, {}, requested);
      const names = await readTokenNames(deps, [...new Set(list.items.map(({ token }) => token))]);
      const { standard, token, from, to, fromTime, toTime } = conditions as Record<string, string>;
      const same = { token, sender: from, recipient: to, from: fromTime, to: toTime };
      const total = countRows('token_transfers', { ...same, standard: standard === 'all' ? undefined : standard });
      const body = html`<h1>Token transfers</h1>
${form}
${transferTable(request, list.items, names, { empty: emptyList(list, 'transfers', 'No transfers match.') })}${pager(request, list, 'transfers', total)}`;
      return { title: 'Token transfers', index: list.index, body };
    }),
});
