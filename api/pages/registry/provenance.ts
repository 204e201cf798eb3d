import type { z } from 'zod';
import { type Html, html } from '../../drawing/html.ts';
import type { Provenance } from '../../read/registry/source-reader.ts';
import { secondsOf, when } from '../parts/time.ts';

/** Says how old a list is that comes from outside the chain. */
export function provenanceNote(provenance: z.infer<typeof Provenance> | null, now: number): Html {
  if (provenance === null) return html`<p class="muted">No list was read yet.</p>`;
  return html`<p class="muted">From a list of ${when(secondsOf(provenance.asOf), now)}.</p>`;
}
