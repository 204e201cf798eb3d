import type { z } from 'zod';
import { grouped } from '../drawing/grouped.ts';
import { type Html, html } from '../drawing/html.ts';
import { listReorgs } from '../routes/deposits/list-reorgs.ts';
import { getAudit } from '../routes/status/get-audit.ts';
import { getStatus } from '../routes/status/get-status.ts';
import { callRoute, type RouteDeps } from './ask.ts';
import { definePage } from './page.ts';
import { facts, figures } from './parts/facts.ts';
import { blockLink } from './parts/links.ts';
import { counted } from './parts/number.ts';
import { table } from './parts/table.ts';
import { toSeconds, when } from './parts/time.ts';
import { countLost } from './reorgs.ts';

type Status = z.infer<typeof getStatus.response>;
type Audit = z.infer<typeof getAudit.response>;

const words = {
  ok: ['good', 'The index is complete and at the head of the chain.'],
  degraded: [
    'wait',
    'The index lags, has gaps or is contradicted by a node, a node does not answer, or an alert is active. See below.',
  ],
  down: ['bad', 'Nothing is indexed, or no node answers.'],
} as const;

export const statusPage = definePage({
  id: 'status',
  path: '/status',
  nav: 'Status',
  maxAgeSeconds: 0,
  isUnpinned: true,
  handle: async (deps: RouteDeps<typeof getStatus | typeof getAudit | typeof listReorgs>, { now }) => {
    const [status, audit] = await Promise.all([callRoute(deps, getStatus), callRoute(deps, getAudit)]);
    const isStarted = status.headHash !== null;
    const reorgs = isStarted ? await callRoute(deps, listReorgs, {}, { limit: '10' }) : undefined;
    const [state, text] = words[status.status];
    const body = html`<h1>Status</h1><div id="state" data-live><div class="verdict ${state}"><p class="line"><span class="badge ${state}">${status.status}</span> ${text}</p>${alertList(status.alerts)}</div>${view(status, now)}</div>
${checks(audit, now)}<h2>Reorgs</h2>${table({
      caption: 'Reorgs',
      rows: reorgs?.items ?? [],
      empty: 'No reorg was detected.',
      columns: [
        { title: 'Seen', cell: (row) => when(toSeconds(row.detectedAt), now) },
        { title: 'After block', cell: (row) => blockLink(row.forkBlock) },
        { title: 'Blocks removed', isNumber: true, cell: (row) => grouped(row.depth) },
        { title: 'Transactions removed', isNumber: true, cell: (row) => grouped(row.transactions.length) },
        {
          title: 'Not included again',
          isNumber: true,
          cell: (row) => countLost(row.transactions),
        },
      ],
    })}<p><a href="/reorgs">All reorgs, and what became of each transaction</a></p>`;
    return { title: 'Status', index: reorgs?.index, body };
  },
});

function alertList(alerts: readonly string[]): Html | false {
  return alerts.length > 0 && html`<ul class="alerts">${alerts.map((alert) => html`<li>${alert}</li>`)}</ul>`;
}

function view(status: Status, now: number): Html {
  const { indexed, backfill } = status;
  const audit = status.audit;
  return html`${figures([
    ['Newest indexed block', blockLink(status.head), `chain head ${grouped(status.chainHead)}`],
    ['Lag', counted(status.lagBlocks, 'block')],
    ['Final up to block', blockLink(status.finalized)],
    [
      'History',
      `${(Math.floor(100 * backfill.percent) / 100).toFixed(2)}%`,
      `blocks ${grouped(indexed.from)} to ${grouped(indexed.to)}`,
    ],
  ])}${facts([
    ['Pipeline', html`${status.pipeline.phase}${status.pipeline.reason !== null && html`: ${status.pipeline.reason}`}`],
    status.updatedAt !== null && ['Last change', when(toSeconds(status.updatedAt), now)],
    [
      'Quarantined blocks',
      status.parkedBlocks.length === 0
        ? 'none'
        : status.parkedBlocks.map(({ block, reason }) => html`${blockLink(block)} ${reason} `),
    ],
    [
      'Compared with a node',
      audit === null
        ? 'no blocks in the last 24 hours'
        : `${counted(audit.windows, 'block range')} in 24 hours, ${counted(audit.differences, 'difference')}`,
    ],
  ])}<h2>Nodes</h2>${table({
    caption: 'Nodes',
    rows: status.rpc,
    empty: 'No node is configured.',
    columns: [
      { title: 'Node', cell: (row) => row.name },
      {
        title: 'State',
        cell: (row) =>
          row.healthy
            ? html`<span class="badge good">answers</span>`
            : html`<span class="badge bad">does not answer</span>`,
      },
      { title: 'Head', isNumber: true, cell: (row) => grouped(row.head) },
      { title: 'Lag (blocks)', isNumber: true, cell: (row) => grouped(row.lagBlocks) },
      { title: 'Latency', isNumber: true, cell: (row) => `${row.latencyMs} ms` },
    ],
  })}`;
}

function checks({ checks, passed, failed, unknown }: Audit, now: number): Html {
  const results = { true: 'good', false: 'bad', null: '' } as const;
  const names = { true: 'passed', false: 'failed', null: 'unknown' } as const;
  return html`<h2>Consistency checks</h2><p class="muted found">${passed} passed, ${failed} failed, ${unknown} could not be run.</p>${table(
    {
      caption: 'Checks',
      rows: checks,
      empty: 'No check has run yet.',
      columns: [
        { title: 'Check', cell: (row) => html`${row.title}<small>${row.name}</small>` },
        {
          title: 'Result',
          cell: (row) => html`<span class="badge ${results[`${row.passed}`]}">${names[`${row.passed}`]}</span>`,
        },
        { title: 'Expected', isNumber: true, cell: (row) => row.expected ?? '–' },
        { title: 'Actual', isNumber: true, cell: (row) => row.actual ?? '–' },
        { title: 'Up to block', isNumber: true, cell: (row) => grouped(row.through) },
        { title: 'Checked', cell: (row) => when(toSeconds(row.checkedAt), now) },
      ],
    },
  )}`;
}
