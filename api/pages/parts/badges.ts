/** Badges show their meaning as text, not only by colour. */
import { type Html, html } from '../../drawing/html.ts';

export function statusBadge(status: 0 | 1 | null): Html {
  if (status === null) return html`<span class="badge">no status</span>`;
  return status === 1 ? html`<span class="badge good">Success</span>` : html`<span class="badge bad">Failed</span>`;
}

export function finalityBadge(finality: 'final' | 'unsettled' | 'doubted'): Html {
  if (finality === 'doubted') return html`<span class="badge bad">In doubt: a node contradicts this block</span>`;
  return finality === 'final'
    ? html`<span class="badge good">Final</span>`
    : html`<span class="badge wait">Not final yet</span>`;
}

const roleTitles = { from: 'sent', to: 'received', log: 'in a log', internal: 'internal' } as const;

export function roleBadges(roles: readonly (keyof typeof roleTitles)[]): Html {
  return html`${roles.map((role) => html`<span class="badge role-${role}" title="role ${role}">${roleTitles[role]}</span> `)}`;
}

export function confirmationBar(confirmations: number, required: number): Html {
  const shown = Math.min(confirmations, required);
  return html`<progress max="${required}" value="${shown}" aria-label="Confirmations">${shown} of ${required}</progress>`;
}
