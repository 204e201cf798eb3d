import { html } from '../drawing/html.ts';
import { listVerifiedContracts } from '../routes/contracts/contract.ts';
import { callRoute, type RouteDeps, readParameters } from './ask.ts';
import { definePage } from './page.ts';
import { chainText } from './parts/chain-text.ts';
import { bareLink } from './parts/links.ts';
import { pager } from './parts/pager.ts';
import { table } from './parts/table.ts';
import { toSeconds, when } from './parts/time.ts';

const matchNames = { exact: 'exact', partial: 'except metadata' } as const;

export const contractsPage = definePage({
  id: 'contracts',
  path: '/contracts',
  maxAgeSeconds: 1,
  handle: async (deps: RouteDeps<typeof listVerifiedContracts>, request) => {
    const { coin, now, query } = request;
    const list = await callRoute(deps, listVerifiedContracts, {}, { limit: '25', ...readParameters(query, 'cursor') });
    const body = html`<h1>Verified contracts</h1>
<p class="muted found">Their published source code compiles to the code on the chain. Anyone can publish source code under any name: a name proves nothing. <a href="/contract/verify">Verify a contract</a></p>
${table({
  caption: 'Verified contracts',
  rows: list.items,
  empty: 'No contract is verified yet.',
  columns: [
    {
      title: 'Contract',
      cell: (row) => html`<a href="/address/${row.address}?tab=contract">${chainText(row.name, coin)}</a>`,
    },
    { title: 'Address', cell: (row) => bareLink(row.address) },
    { title: 'Compiler', cell: (row) => html`${row.language} ${row.compilerVersion.split('+')[0] ?? ''}` },
    { title: 'License', cell: (row) => row.license ?? '–' },
    { title: 'Match', cell: (row) => matchNames[row.match] },
    { title: 'Verified', cell: (row) => when(toSeconds(row.verifiedAt), now) },
  ],
})}${pager(request, list, 'contracts')}`;
    return { title: 'Verified contracts', body };
  },
});
