import { type Html, html } from '../../drawing/html.ts';
import type { PageRequest } from '../page.ts';
import { type Total, totalView } from './total.ts';

interface PageInfo {
  readonly nextCursor: string | null;
  readonly hasMore: boolean;
}

/** A filtered page reads only a part of the list. @param none text if no page follows */
export const emptyList = ({ hasMore }: PageInfo, what: string, none: string): string =>
  hasMore ? `No matching ${what} in this part of the history: see the next page.` : none;

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

/** Maximum cursors of earlier pages in a link, so that URLs stay below 2,000 characters. */
const maxEarlier = 12;

/** Removes the list position from a URL, which then leads to the first page. */
export const firstPage = { cursor: undefined, earlier: undefined, page: undefined } as const;

interface Position {
  readonly cursor: string;
  /** Cursors of earlier pages, oldest first. The first page has an empty cursor. */
  readonly earlier: readonly string[];
  readonly page: number;
}

function readPosition({ query }: PageRequest): Position {
  const earlier = query.get('earlier')?.split('.').slice(-maxEarlier) ?? [];
  const page = /^[1-9]\d{0,5}$/.test(query.get('page') ?? '') ? Number(query.get('page')) : 1;
  return { cursor: query.get('cursor') ?? '', earlier, page };
}

const linkToPosition = (request: PageRequest, { cursor, earlier, page }: Position) =>
  linkTo(request, {
    cursor: cursor || undefined,
    earlier: cursor && earlier.length > 0 ? earlier.join('.') : undefined,
    page: cursor ? String(page) : undefined,
  });

/** All pages show the snapshot of the first page. */
export function pager(
  request: PageRequest,
  { nextCursor, hasMore }: PageInfo,
  what: string,
  total?: Total,
): Html | false {
  const { cursor, earlier, page } = readPosition(request);
  const isLater = cursor !== '';
  if (!isLater && !hasMore) return false;
  const last = earlier.at(-1);
  const previous = last !== undefined && { cursor: last, earlier: earlier.slice(0, -1), page: page - 1 };
  const next = { cursor: nextCursor ?? '', earlier: [...earlier, cursor].slice(-maxEarlier), page: page + 1 };
  return html`<nav class="pager" aria-label="Pages of ${what}">${
    isLater && html`<a class="button" rel="first" href="${linkTo(request, firstPage)}">First page</a>`
  }${
    isLater &&
    previous &&
    html`<a class="button" rel="prev" href="${linkToPosition(request, previous)}">Previous page</a>`
  }${isLater && html`<span class="muted">Page ${page}</span>`}${
    hasMore && nextCursor
      ? html`<a class="button" rel="next" href="${linkToPosition(request, next)}">Next page</a>`
      : html`<span class="muted">End of the list</span>`
  }${total && totalView(total, what)}</nav>`;
}
