import { grouped } from '../drawing/grouped.ts';
import { html } from '../drawing/html.ts';
import { getRegistryEntity } from '../routes/registry/get-entity.ts';
import { callRoute, type RouteDeps } from './ask.ts';
import { definePage } from './page.ts';
import { chainText, dataText, urlText } from './parts/chain-text.ts';
import { type Fact, facts } from './parts/facts.ts';
import { addressLink } from './parts/links.ts';
import { table } from './parts/table.ts';

export const entityPage = definePage({
  id: 'entity',
  path: '/entity/:id',
  maxAgeSeconds: 5,
  absent: {
    title: 'Entity not found',
    hint: 'Neither the registry manifest (the list of named entities) nor the index contains this id.',
  },
  handle: async (deps: RouteDeps<typeof getRegistryEntity>, { params, coin }) => {
    const entity = await callRoute(deps, getRegistryEntity, { id: params.id });
    const text = (value: string | null) => (value === null ? undefined : chainText(value, coin));
    const body = html`<h1>${chainText(entity.label ?? entity.kind, coin)}</h1>${facts([
      ['Kind', entity.kind],
      ['Id', html`<span class="hex whole">${entity.id}</span>`],
      ['Address', entity.address === null ? undefined : addressLink(entity.address)],
      ['Category', text(entity.category)],
      ['Description', entity.description === null ? undefined : dataText(entity.description)],
      ['Website', entity.url === null ? undefined : urlText(entity.url)],
      [
        'Belongs to',
        entity.parent === null ? undefined : html`<a href="/entity/${entity.parent}">${entity.parent}</a>`,
      ],
      ['Source', entity.source === 'manifest' ? 'registry manifest' : 'index only'],
      ...Object.entries(entity.attributes).map(([name, value]): Fact => [name, dataText(value)]),
    ])}${
      entity.memberCount > 0 &&
      html`<h2>Members (${grouped(entity.memberCount)})</h2>${table({
        caption: 'Members',
        rows: entity.members,
        empty: 'None.',
        columns: [
          { title: 'Kind', cell: (row) => row.kind },
          { title: 'Name', cell: (row) => html`<a href="/entity/${row.id}">${chainText(row.label, coin)}</a>` },
        ],
      })}${entity.memberCount > entity.members.length && html`<p class="muted">The first ${grouped(entity.members.length)} are shown.</p>`}`
    }`;
    return { title: 'Entity', index: entity.index, body };
  },
});
