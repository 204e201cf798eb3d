import { type Html, html } from '../drawing/html.ts';
import { type ApiProblem, problems } from '../terms/errors.ts';
import type { AnyPage, PageView } from './page.ts';
import { readableText } from './parts/chain-text.ts';
import { FormProblem } from './parts/form-problem.ts';
import { firstPage, linkTo } from './parts/pager.ts';

const mayCome = new Set(['not_found', 'indexing', 'store_unavailable', 'node_unavailable']);

const absentCodes = new Set(['not_found', 'entity_not_found']);

/** @param url of the page */
export function problemView(problem: ApiProblem, requestId: string, url: string, page?: AnyPage): PageView {
  const { status, title: general } = problems[problem.code];
  const isForm = problem instanceof FormProblem; // a reload would post the form again
  const absent = absentCodes.has(problem.code) && !isForm ? page?.absent : undefined;
  const title = absent?.title ?? general;
  const isAwaited = page !== undefined && !isForm && mayCome.has(problem.code);
  return {
    title,
    body: html`<section class="problem"${isAwaited && html` data-retry`}><p class="status-code">${status}</p><h1>${title}</h1>
${text(problem, url)}${absent && html`<p>${absent.hint}</p>`}${isForm && problem.form}
<p class="muted"><a href="/">Newest blocks</a> · <a href="/status">Status of the index</a> · request <code>${requestId}</code></p></section>`,
  };
}

function text({ code, detail }: ApiProblem, url: string): Html {
  if (code !== 'snapshot_invalidated' && code !== 'invalid_cursor')
    return html`<p>${sentence(readableText(detail, 'text'))}</p>`;
  const first = linkTo({ url, query: new URLSearchParams(url.split('?')[1]) }, firstPage);
  const reason = code === 'snapshot_invalidated' ? 'This list has changed.' : 'The cursor of this list is not valid.';
  return html`<p>${reason}</p><p><a class="button" href="${first}">First page</a></p>`;
}

export const sentence = (text: string) =>
  `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
