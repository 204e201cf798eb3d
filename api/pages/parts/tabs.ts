import { getFirst } from '#runtime/lists.ts';
import { type Html, html } from '../../drawing/html.ts';
import type { PageRequest } from '../page.ts';

/** Tab of a page. Its name is in the URL; the first tab is the default. */
export type Tab = readonly [name: string, title: string];

export function tabs({ url }: Pick<PageRequest, 'url'>, list: readonly Tab[], current: string): Html {
  const path = url.split('?')[0];
  return html`<nav class="tabs" aria-label="Parts of this page">${list.map(
    ([name, title], at) =>
      html`<a href="${path}${at > 0 && `?tab=${name}`}"${name === current && html` aria-current="page"`}>${title}</a>`,
  )}</nav>`;
}

export function currentTab({ query }: Pick<PageRequest, 'query'>, list: readonly Tab[]): string {
  const requested = query.get('tab');
  const [name] = list.find(([name]) => name === requested) ?? getFirst(list);
  return name;
}
