import { html } from '../../drawing/html.ts';
import { getEcosystemDirectory } from '../../routes/network/get-directory.ts';
import { callRoute, type RouteDeps, readParameters } from '../ask.ts';
import { definePage } from '../page.ts';
import { chainText, dataText, urlText } from '../parts/chain-text.ts';
import { type FilterField, withForm } from '../parts/filters.ts';
import { bareLink } from '../parts/links.ts';
import { counted } from '../parts/number.ts';
import { pager } from '../parts/pager.ts';
import { table } from '../parts/table.ts';
import { provenanceNote } from './provenance.ts';

const fields: readonly FilterField[] = [{ name: 'category', label: 'Category', placeholder: 'any' }];

export const directoryPage = definePage({
  id: 'directory',
  path: '/directory',
  maxAgeSeconds: 1,
  handle: (deps: RouteDeps<typeof getEcosystemDirectory>, request) =>
    withForm(request, fields, async (form) => {
      const { coin, now } = request;
      const requested = { limit: '50', ...readParameters(request.query, 'cursor', 'category') };
      const page = await callRoute(deps, getEcosystemDirectory, {}, requested);
      const body = html`<h1>Ecosystem</h1>${provenanceNote(page.provenance, now)}${
        page.fault !== null && html`<p class="notice">The list could not be read: ${dataText(page.fault)}</p>`
      }${form}<p class="muted">${counted(page.total, 'project')}</p>${table({
        caption: 'Projects of the ecosystem',
        rows: page.items,
        empty: 'No projects match.',
        columns: [
          { title: 'Project', cell: (row) => chainText(row.name, coin) },
          { title: 'Category', cell: (row) => chainText(row.category, coin) },
          { title: 'Address', cell: (row) => (row.address === undefined ? '–' : bareLink(row.address)) },
          { title: 'Node', cell: (row) => (row.nodeRole === undefined ? '–' : chainText(row.nodeRole, coin)) },
          {
            title: 'Website',
            cell: (row) => (row.url === undefined ? '–' : urlText(row.url)),
          },
        ],
      })}${pager(request, page, 'projects')}`;
      return { title: 'Ecosystem', body };
    }),
});
