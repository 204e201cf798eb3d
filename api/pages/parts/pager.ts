import { type Html, html } from '../html.ts';
import type { PageRequest } from '../page.ts';

interface PageInfo {
  readonly nextCursor: string | null;
  readonly hasMore: boolean;
}

/** Returns the URL of the page with changed parameters. */
export function linkTo(
  { url, query }: Pick<PageRequest, 'url' | 'query'>,
  changes: Record<string, string | undefined>,
) {
  const changed = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) changed.delete(name);
    else changed.set(name, value);
  }
  const text = changed.toString();
  return url.split('?')[0] + (text && `?${text}`);
}

/** Renders links to the first and the next page of a list. */
export function pager(request: PageRequest, { nextCursor, hasMore }: PageInfo, what: string): Html | false {
  const isLater = request.query.has('cursor');
  if (!isLater && !hasMore) return false;
  return html`<nav class="pager" aria-label="Pages of ${what}">${
    isLater && html`<a class="button" rel="first" href="${linkTo(request, { cursor: undefined })}">First page</a>`
  }${
    hasMore && nextCursor
      ? html`<a class="button" rel="next" href="${linkTo(request, { cursor: nextCursor })}">Next page</a>`
      : html`<span class="muted">End of the list</span>`
  }</nav>`;
}
