import type { z } from 'zod';
import { type Html, html } from '../../drawing/html.ts';
import type { Provenance } from '../../read/registry/source-reader.ts';
import { dataText } from '../parts/chain-text.ts';
import { toSeconds, when } from '../parts/time.ts';

/** Shows the age of a list that does not come from the chain. */
export function provenanceNote(provenance: z.infer<typeof Provenance> | null, now: number): Html {
  if (provenance === null) return html`<p class="muted">No list was read yet.</p>`;
  const { asOf, stale, fault } = provenance;
  return html`<p class="muted">The list is from ${when(toSeconds(asOf), now)}.</p>${
    stale &&
    html`<p class="notice">The list may be old: ${fault === null ? 'its source was not read lately.' : html`it could not be read again: ${dataText(fault)}`}</p>`
  }`;
}
