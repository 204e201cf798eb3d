import { type Html, html } from '../../drawing/html.ts';
import { copyable } from './links.ts';

export interface OriginDeps {
  readonly settings: {
    /** Public origin of the service, without trailing slash. */
    readonly origin: string;
    readonly isOriginKnown: boolean;
  };
}

/**
 * HTML for other websites: a chart picture that links to its page. Empty if the service does not know its public
 * address.
 * @param page, picture paths with their query
 */
export function embedHtml({ settings }: OriginDeps, title: string, page: string, picture: string): Html | false {
  const { origin, isOriginKnown } = settings;
  if (!isOriginKnown) return false;
  const image = html`<img src="${origin + picture}" alt="${title}" width="1200" height="630">`;
  const code = html`<a href="${origin + page}">${image}</a>`.text;
  return html`<details class="more"><summary>Embed this chart</summary><p class="muted">HTML for your website. The picture shows the values at the time when a reader loads it.</p><pre class="raw">${code}</pre>${copyable(code, 'HTML')}</details>`;
}
