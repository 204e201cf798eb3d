import { registryKinds } from '#registry/kinds.ts';
import { html } from '../../drawing/html.ts';
import { listRegistryStrings } from '../../routes/registry/list-strings.ts';
import { callRoute, type RouteDeps, readParameters } from '../ask.ts';
import { definePage } from '../page.ts';
import { chainText } from '../parts/chain-text.ts';
import { filterForm } from '../parts/filters.ts';
import { bareLink } from '../parts/links.ts';
import { pager } from '../parts/pager.ts';
import { table } from '../parts/table.ts';
import { provenanceNote } from './provenance.ts';

export const labelsPage = definePage({
  id: 'labels',
  path: '/labels',
  maxAgeSeconds: 1,
  handle: async (deps: RouteDeps<typeof listRegistryStrings>, request) => {
    const { coin, now } = request;
    const requested = { limit: '50', ...readParameters(request.query, 'cursor', 'kind') };
    const page = await callRoute(deps, listRegistryStrings, {}, requested);
    const options = registryKinds.map((kind) => [kind, kind] as const);
    const body = html`<h1>Labels</h1>${provenanceNote(page.provenance, now)}${filterForm(request, [
      { name: 'kind', label: 'Kind', options: [['', 'any'], ...options] },
    ])}${table({
      caption: 'Entities of the registry',
      rows: page.items,
      empty: 'No entities match.',
      columns: [
        {
          title: 'Name',
          cell: (row) => html`<a href="/entity/${row.id}">${chainText(row.label ?? row.kind, coin)}</a>`,
        },
        { title: 'Kind', cell: (row) => row.kind },
        { title: 'Category', cell: (row) => (row.category === null ? '–' : chainText(row.category, coin)) },
        { title: 'Address', cell: (row) => (row.address === null ? '–' : bareLink(row.address)) },
        { title: 'From', cell: (row) => (row.source === 'manifest' ? 'registry' : 'index') },
      ],
    })}${pager(request, page, 'labels')}`;
    return { title: 'Labels', index: page.index, body };
  },
});
