import { grouped } from '../../drawing/grouped.ts';
import { html } from '../../drawing/html.ts';
import { listTokenizedAssets } from '../../routes/registry/list-assets.ts';
import { callRoute, type RouteDeps, readParameters } from '../ask.ts';
import { definePage } from '../page.ts';
import { chainText } from '../parts/chain-text.ts';
import { bareLink } from '../parts/links.ts';
import { amountOfToken } from '../parts/number.ts';
import { pager } from '../parts/pager.ts';
import { table } from '../parts/table.ts';
import { provenanceNote } from './provenance.ts';

export const assetsPage = definePage({
  id: 'assets',
  path: '/assets',
  maxAgeSeconds: 1,
  handle: async (deps: RouteDeps<typeof listTokenizedAssets>, request) => {
    const { coin, now } = request;
    const page = await callRoute(
      deps,
      listTokenizedAssets,
      {},
      { limit: '25', ...readParameters(request.query, 'cursor') },
    );
    const body = html`<h1>Tokenized assets</h1>${provenanceNote(page.provenance, now)}${table({
      caption: 'Tokenized assets',
      rows: page.items,
      empty: 'The registry lists no assets.',
      columns: [
        {
          title: 'Asset',
          cell: (row) => html`<a href="/entity/${row.id}">${chainText(row.label ?? row.kind, coin)}</a>`,
        },
        { title: 'Category', cell: (row) => (row.category === null ? '–' : chainText(row.category, coin)) },
        {
          title: 'Token',
          // without indexed transfers, the token has no page
          cell: ({ address, token }) => (address === null ? '–' : bareLink(address, token ? 'token' : 'address')),
        },
        {
          title: 'Supply',
          isNumber: true,
          cell: ({ token }) =>
            token === null || token.totalSupply === null
              ? 'unknown'
              : amountOfToken(token.totalSupply, token, chainText(token.symbol, coin, 'symbol')),
        },
        {
          title: 'Holders',
          isNumber: true,
          cell: ({ token }) => (token === null ? 'unknown' : grouped(token.holders)),
        },
      ],
    })}${pager(request, page, 'assets')}`;
    return { title: 'Tokenized assets', index: page.index, body };
  },
});
