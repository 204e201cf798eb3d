import { html } from '../../drawing/html.ts';
import type { AnyRoute } from '../../http/define-route.ts';
import { routeTags } from '../../http/route-tags.ts';
import { problems } from '../../terms/errors.ts';
import type { PageView } from '../page.ts';
import { type GuideSettings, guideSections } from './guide.ts';
import { type RouteDocs, routeSection } from './route-section.ts';

export function docsPage(routes: readonly AnyRoute[], docs: RouteDocs, settings: GuideSettings): PageView {
  const problemRows = Object.entries(problems).map(
    ([code, { status, title, retry }]) =>
      html`<tr id="problem-${code}"><td><code>${code}</code></td><td>${status}</td><td>${title}</td><td>${retry ? 'yes' : 'no'}</td></tr>
`,
  );
  const guide = guideSections(settings);
  const tags = Object.entries(routeTags)
    .map(([tag, { description }]) => ({ tag, description, own: routes.filter((route) => route.tag === tag) }))
    .filter(({ own }) => own.length > 0);
  const links = [...guide.map(({ id, title }) => [id, title]), ...tags.map(({ tag }) => [`tag-${tag}`, tag])];
  const body = html`<h1>Cordscan API</h1>
<p class="muted found">Replies are JSON. Amounts are decimal strings in wei. Times are Unix seconds. The API calls a block an anchor. Programs can read the <a href="/api/v1/openapi.json">OpenAPI document</a>.</p>
<nav class="ranges" aria-label="Groups">${links.map(([id, title]) => html`<a class="button small" href="#${id}">${title}</a>`)}<a class="button small" href="#errors">errors</a></nav>
${guide.map(({ id, title, text }) => html`<h2 id="${id}">${title}</h2>${text}`)}
${tags.map(
  ({ tag, description, own }) =>
    html`<h2 id="tag-${tag}">${tag}</h2><p>${description}</p><div class="routes">${own.map((route) => routeSection(route, docs))}</div>`,
)}
<h2 id="errors">Errors</h2><p>An error has the media type <code>application/problem+json</code> (RFC 9457). Its field <code>code</code> names the reason, <code>detail</code> says what was wrong and what is accepted.</p><div class="scroll wide" tabindex="0" role="region" aria-label="Errors"><table class="plain"><thead><tr><th scope="col">code</th><th scope="col">status</th><th scope="col">meaning</th><th scope="col">retry</th></tr></thead><tbody>${problemRows}</tbody></table></div>`;
  return { title: 'API', body };
}
