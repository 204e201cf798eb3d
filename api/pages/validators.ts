import type { z } from 'zod';
import { zeroAddress } from '#chain/codec/hex.ts';
import { grouped } from '../drawing/grouped.ts';
import { html } from '../drawing/html.ts';
import { listValidators } from '../routes/network/list-validators.ts';
import { callRoute, type RouteDeps } from './ask.ts';
import { definePage } from './page.ts';
import { chainText, readableText } from './parts/chain-text.ts';
import { blockLink, partyLink } from './parts/links.ts';
import { coinAmount, counted, percent } from './parts/number.ts';
import { table } from './parts/table.ts';
import { when } from './parts/time.ts';

type Row = z.infer<typeof listValidators.response>['items'][number];

/** Returns whether the node reports a name that differs from all labels of the address. */
const isNew = ({ name, labels }: Row) => name !== null && !labels.some(({ label }) => label === name);

/** The genesis block names no producer. */
const isGenesis = ({ address, lastBlock }: Row) => address === zeroAddress && lastBlock === 0;

const statusNames = { active: 'active', producer: 'produces blocks', idle: 'in the set, no block' } as const;

export const validatorsPage = definePage({
  id: 'validators',
  path: '/validators',
  nav: 'Validators',
  maxAgeSeconds: 1,
  handle: async (deps: RouteDeps<typeof listValidators>, { coin, now }) => {
    const { items, window, schedule, fault, index } = await callRoute(deps, listValidators);
    const body = html`<h1>Validators</h1>
<p class="muted found">${counted(items.filter((row) => row.blocks > 0 && !isGenesis(row)).length, 'validator')} produced the newest ${counted(window.blocks, 'block')}, ${blockLink(window.fromBlock)} to ${blockLink(window.toBlock)}.</p>${
      schedule === null
        ? html`<p class="muted">Turns and uptime are unknown: ${fault === null ? 'the node reports no schedule of validators' : readableText(fault, 'text')}.</p>`
        : html`<p class="muted">Turns are those since the list of validators last changed.</p>`
    }
${table({
  caption: 'Validators',
  rows: items,
  empty: 'No blocks are indexed yet.',
  columns: [
    {
      title: 'Validator',
      cell: (row) => html`${partyLink(row.address)}${isNew(row) && html`<small>${chainText(row.name, coin)}</small>`}`,
    },
    { title: 'Status', cell: (row) => (isGenesis(row) ? 'genesis block' : statusNames[row.status]) },
    {
      title: 'Blocks',
      isNumber: true,
      cell: ({ blocks, address }) =>
        blocks === 0
          ? '0'
          : html`<a href="/blocks?miner=${address}&amp;from=${window.fromBlock}&amp;to=${window.toBlock}">${grouped(blocks)}</a>`,
    },
    { title: 'Share', isNumber: true, cell: (row) => percent(row.share) },
    ...(schedule === null
      ? []
      : [
          { title: 'Turns', isNumber: true, cell: (row: Row) => (row.turns === null ? '–' : grouped(row.turns)) },
          { title: 'Missed', isNumber: true, cell: (row: Row) => (row.missed === null ? '–' : grouped(row.missed)) },
          { title: 'Uptime', isNumber: true, cell: (row: Row) => percent(row.uptime) },
        ]),
    { title: 'Tips', isNumber: true, cell: (row) => coinAmount(row.tips, coin) },
    { title: 'Last block', isNumber: true, cell: (row) => (row.lastBlock === null ? '–' : blockLink(row.lastBlock)) },
    { title: 'When', cell: (row) => (row.lastSeen === null ? '–' : when(row.lastSeen, now)) },
  ],
})}`;
    return { title: 'Validators', index, body };
  },
});
