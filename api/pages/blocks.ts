import { grouped } from '../drawing/grouped.ts';
import { html } from '../drawing/html.ts';
import type { FigureDeps } from '../read/chain/figures.ts';
import { listAnchors } from '../routes/anchors/list-anchors.ts';
import { callRoute, type RouteDeps, readParameters } from './ask.ts';
import { definePage } from './page.ts';
import { type FilterField, orderField, sizeField, withForm } from './parts/filters.ts';
import { addressLink, blockLink } from './parts/links.ts';
import { coinAmount, gwei, percent } from './parts/number.ts';
import { pager } from './parts/pager.ts';
import { table } from './parts/table.ts';
import { when } from './parts/time.ts';
import { readChainTotal } from './parts/total.ts';

const fields: readonly FilterField[] = [
  { name: 'miner', label: 'Producer', placeholder: 'address' },
  { name: 'minTx', label: 'At least', placeholder: 'transactions' },
  { name: 'from', label: 'From block', placeholder: 'number' },
  { name: 'to', label: 'To block', placeholder: 'number' },
  orderField,
  sizeField,
];

export const blocksPage = definePage({
  id: 'blocks',
  path: '/blocks',
  nav: 'Blocks',
  maxAgeSeconds: 1,
  handle: (deps: RouteDeps<typeof listAnchors> & FigureDeps, request) =>
    withForm(request, fields, async (form) => {
      const { coin, now } = request;
      const conditions = readParameters(request.query, 'from', 'to', 'miner', 'minTx');
      const requested = { limit: '25', ...readParameters(request.query, 'cursor', 'limit', 'order'), ...conditions };
      const [list, total] = await Promise.all([
        callRoute(deps, listAnchors, {}, requested),
        Object.keys(conditions).length === 0 ? readChainTotal(deps, 'anchors') : undefined,
      ]);
      const body = html`<h1>Blocks</h1>
${form}${table({
  caption: 'Blocks',
  rows: list.items.filter((item) => item.canonical),
  empty: 'No blocks match.',
  columns: [
    { title: 'Block', cell: (row) => blockLink(row.number) },
    { title: 'Time', cell: (row) => when(row.timestamp, now) },
    { title: 'Producer', cell: (row) => addressLink(row.miner) },
    { title: 'Transactions', isNumber: true, cell: (row) => grouped(row.transactionCount) },
    {
      title: 'Gas used',
      isNumber: true,
      cell: (row) => html`${grouped(row.gasUsed)}<small>${percent(row.gasUsedRatio)}</small>`,
    },
    {
      title: 'Base fee',
      isNumber: true,
      cell: (row) => (row.baseFeePerGas === null ? '–' : gwei(row.baseFeePerGas)),
    },
    { title: 'Fees', isNumber: true, cell: (row) => coinAmount(row.fees, coin) },
  ],
})}${pager(request, list, 'blocks', total)}`;
      return { title: 'Blocks', index: list.index, body };
    }),
});
