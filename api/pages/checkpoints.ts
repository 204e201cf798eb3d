/** Signed checkpoints of the index. @source docs/identity.md#checkpoints */
import { grouped } from '../drawing/grouped.ts';
import { type Html, html } from '../drawing/html.ts';
import { parseInput } from '../http/parse-input.ts';
import { type Checkpoint, readCheckpoints } from '../read/checkpoints/checkpoint.ts';
import type { Checkpoints } from '../read/checkpoints/make-checkpoint.ts';
import { findOwnErrors } from '../read/checkpoints/verify-checkpoints.ts';
import { exportKinds } from '../read/export/kinds.ts';
import type { ChainDeps, StoreDeps } from '../read/reader-deps.ts';
import { listCheckpoints } from '../routes/semantic/checkpoints.ts';
import { readParameters } from './ask.ts';
import { definePage } from './page.ts';
import { facts } from './parts/facts.ts';
import { blockLink, copyable, partyLink } from './parts/links.ts';
import { table } from './parts/table.ts';
import { toSeconds, when } from './parts/time.ts';

const pageLength = 10;

const names = { anchors: 'Blocks', transactions: 'Transactions', transfers: 'Token transfers', logs: 'Logs' } as const;

export const checkpointsPage = definePage({
  id: 'checkpoints',
  path: '/checkpoints',
  maxAgeSeconds: 10,
  isUnpinned: true,
  handle: async (deps: StoreDeps & ChainDeps & { readonly checkpoints: Checkpoints }, { query, now }) => {
    const signer = deps.checkpoints.signer.address;
    const given = new URLSearchParams(readParameters(query, 'before'));
    const { before } = parseInput(listCheckpoints, {}, given, deps.settings.chainId).query;
    const found = await readCheckpoints(deps.database, { limit: pageLength + 1, beforeNumber: before });
    const shown = found.slice(0, pageLength);
    const oldest = shown.at(-1)?.document.number;
    const body = html`<h1>Checkpoints</h1><p class="muted">A checkpoint is a signed statement: the index had these rows up to this block. Compare it with the certificate of your own <a href="/docs#tag-export">export</a>. Each checkpoint contains the digest of the one before, so that a removed or changed checkpoint is noticed.</p>${
      shown.length === 0
        ? html`<p class="empty">${before === undefined ? 'No checkpoint was created yet.' : 'There are no earlier checkpoints.'}</p>`
        : shown.map((checkpoint, at) =>
            checkpointView(checkpoint, findOwnErrors(checkpoint, found[at + 1], signer), now),
          )
    }${
      found.length > pageLength &&
      html`<nav class="pager" aria-label="Pages"><a rel="next" href="/checkpoints?before=${oldest}">Earlier checkpoints</a></nav>`
    }`;
    return { title: 'Checkpoints', body };
  },
});

function checkpointView(checkpoint: Checkpoint, errors: readonly string[], now: number): Html {
  const { document, text, digest, signature, signer } = checkpoint;
  return html`<h2 id="checkpoint-${document.number}">Checkpoint ${grouped(document.number)}</h2>${facts([
    ['Up to block', html`${blockLink(document.block)} <code class="hex whole">${document.blockHash}</code>`],
    ['Time of the block', when(toSeconds(document.createdAt), now)],
    ['Digest', html`<code class="hex whole">${digest}</code>${copyable(digest, 'digest')}`],
    [
      'Previous digest',
      document.previous === null
        ? 'none, this is the first checkpoint'
        : html`<code class="hex whole">${document.previous}</code>`,
    ],
    ['Signed by', partyLink(signer)],
    [
      'Signature',
      html`${errors.length === 0 ? 'valid' : html`<strong class="bad-text">invalid: ${errors.join('; ')}</strong>`} <code class="hex whole">${signature}</code>`,
    ],
    ['Signed text', html`<details><summary>EIP-191 message</summary><code class="hex whole">${text}</code></details>`],
  ])}${table({
    caption: `Tables of checkpoint ${document.number}`,
    rows: exportKinds.map((kind) => ({ kind, ...document.tables[kind] })),
    empty: '',
    columns: [
      { title: 'Table', cell: ({ kind }) => names[kind] },
      { title: 'Rows', isNumber: true, cell: ({ rows }) => grouped(rows) },
      { title: 'Digest', cell: (row) => html`<code>${row.digest}</code>` },
    ],
  })}`;
}
