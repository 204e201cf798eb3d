import { z } from 'zod';
import type { AnyRoute } from '../http/define-route.ts';
import { type ExampleSubjects, examplePath } from '../http/examples.ts';
import { problems } from '../terms/errors.ts';
import { type Html, html } from './html.ts';
import type { PageView } from './page.ts';

export function docsPage(routes: readonly AnyRoute[], subjects: ExampleSubjects): PageView {
  const problemRows = Object.entries(problems).map(
    ([code, { status, title, retry }]) =>
      html`<tr id="problem-${code}"><td><code>${code}</code></td><td>${status}</td><td>${title}</td><td>${retry ? 'yes' : 'no'}</td></tr>
`,
  );
  const tags = [...new Set(routes.map(({ tag }) => tag))];
  const body = html`<h1>Cordscan API</h1>
<p class="muted found">Replies are JSON. Amounts are decimal strings in wei. A block is called an anchor. Machine-readable: <a href="/api/v1/openapi.json">OpenAPI</a>.</p>
<nav class="ranges" aria-label="Groups">${tags.map((tag) => html`<a class="button small" href="#tag-${tag}">${tag}</a>`)}<a class="button small" href="#errors">errors</a></nav>
${tags.map(
  (tag) =>
    html`<h2 id="tag-${tag}">${tag}</h2><div class="routes">${routes.filter((route) => route.tag === tag).map((route) => section(route, subjects))}</div>`,
)}
<h2 id="errors">Errors</h2><div class="scroll wide" tabindex="0" role="region" aria-label="Errors"><table class="plain"><thead><tr><th scope="col">code</th><th scope="col">status</th><th scope="col">meaning</th><th scope="col">retry</th></tr></thead><tbody>${problemRows}</tbody></table></div>`;
  return { title: 'API', body };
}

/** Returns a link to the example if a browser can open it, else its path as text. */
function exampleOf(route: AnyRoute, subjects: ExampleSubjects): Html {
  const path = examplePath(route, subjects);
  const isOpen = route.methods.includes('get') && (route.access ?? 'public') === 'public';
  return isOpen ? html`<a href="${path}" aria-label="Example of ${route.id}">Example</a>` : html`<code>${path}</code>`;
}

function section(route: AnyRoute, subjects: ExampleSubjects): Html {
  const rows = route.query instanceof z.ZodObject ? Object.entries(route.query.shape as Record<string, z.ZodType>) : [];
  const parameters = rows.map(
    ([name, field]) =>
      html`<div><dt><code>${name}</code></dt><dd>${field.meta()?.description?.toString() ?? ''}</dd></div>`,
  );
  return html`<section id="${route.id}"><h3><code><span class="muted">${route.methods.join(', ').toUpperCase()}</span> ${route.base + route.path}</code></h3>
<p>${route.summary}. ${route.description} ${exampleOf(route, subjects)}</p>${parameters.length > 0 && html`<dl class="values">${parameters}</dl>`}</section>
`;
}
