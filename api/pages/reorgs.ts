import type { z } from 'zod';
import { grouped } from '../drawing/grouped.ts';
import { type Html, html } from '../drawing/html.ts';
import { listReorgs } from '../routes/deposits/list-reorgs.ts';
import { callRoute, type RouteDeps, readParameters } from './ask.ts';
import { definePage } from './page.ts';
import { blockLink, partyLink, shortHex, txLink } from './parts/links.ts';
import { coinAmount, counted } from './parts/number.ts';
import { pager } from './parts/pager.ts';
import { table } from './parts/table.ts';
import { toSeconds, when } from './parts/time.ts';

const hashLink = (hash: string) => html`<a class="hex" href="/block/${hash}" title="${hash}">${shortHex(hash)}</a> `;

type Reorg = z.infer<typeof listReorgs.response>['items'][number];

function fateView({ fate, blockNumber }: Reorg['transactions'][number]): Html {
  if (fate === 'unknown') return html`unknown: blocks that can contain it are not indexed`;
  return blockNumber === null
    ? html`<span class="bad-text">in no block</span>`
    : html`in block ${blockLink(blockNumber)}`;
}

/** Returns how many transactions of removed blocks are in no block any more. */
export function countLost(transactions: Reorg['transactions']): string {
  const count = (wanted: string) => transactions.filter(({ fate }) => fate === wanted).length;
  const unknown = count('unknown');
  return grouped(count('notIncluded')) + (unknown > 0 ? ` (${grouped(unknown)} unknown)` : '');
}

export const reorgsPage = definePage({
  id: 'reorgs',
  path: '/reorgs',
  maxAgeSeconds: 1,
  handle: async (deps: RouteDeps<typeof listReorgs>, request) => {
    const page = await callRoute(deps, listReorgs, {}, { limit: '25', ...readParameters(request.query, 'cursor') });
    const { coin, now } = request;
    const list = page.items.map(
      (
        reorg,
      ) => html`<li><p class="line"><strong>${counted(reorg.depth, 'block')} removed</strong> <span class="muted">after block</span> ${blockLink(reorg.forkBlock)} ${when(toSeconds(reorg.detectedAt), now)}</p>
<p class="muted">removed ${reorg.removed.map(hashLink)} added ${reorg.added.map(hashLink)}</p>${table({
        caption: 'Transactions of the removed blocks',
        rows: reorg.transactions,
        empty: 'The removed blocks had no transactions.',
        columns: [
          { title: 'Transaction', cell: (row) => txLink(row.txHash) },
          { title: 'From', cell: (row) => partyLink(row.from) },
          { title: 'To', cell: (row) => partyLink(row.to) },
          { title: 'Value', isNumber: true, cell: (row) => coinAmount(row.value, coin) },
          {
            title: 'Now',
            cell: fateView,
          },
        ],
      })}</li>`,
    );
    const body = html`<h1>Reorgs</h1><p class="muted">A reorg replaces the newest blocks of the chain by others. This page lists all reorgs that the index saw, and what became of the transactions in the removed blocks.</p>${
      list.length === 0 ? html`<p class="empty">This index has seen no reorg.</p>` : html`<ol class="logs">${list}</ol>`
    }${pager(request, page, 'reorgs')}`;
    return { title: 'Reorgs', index: page.index, body };
  },
});
