/** The docs page: every route with its parameters, from the same list as everything else. */
import { z } from 'zod';
import type { AnyRoute } from './define-route.ts';
import { problems } from './errors.ts';
import { type ExampleSubjects, examplePath } from './examples.ts';

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

export function docsPage(routes: readonly AnyRoute[], subjects: ExampleSubjects): string {
  const problemRows = Object.entries(problems).map(
    ([code, { status, title, retry }]) =>
      `<tr id="problem-${code}"><td><code>${code}</code></td><td>${status}</td><td>${escapeHtml(title)}</td><td>${retry ? 'yes' : 'no'}</td></tr>`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Cordscan API</title><style>
:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
code{font-size:.9em}section{border-top:1px solid #8884;padding:.5rem 0}table{border-collapse:collapse}td,th{padding:.2rem .8rem .2rem 0;text-align:left;vertical-align:top}
</style></head><body><h1>Cordscan API</h1>
<p>Every reply is JSON. Amounts are decimal strings in wei, blocks are called anchors. Machine-readable: <a href="/api/v1/openapi.json">OpenAPI</a>.</p>
${routes.map((route) => section(route, subjects)).join('\n')}
<h2>Errors</h2><table><tr><th>code</th><th>status</th><th>meaning</th><th>try again</th></tr>${problemRows.join('')}</table>
</body></html>`;
}

function section(route: AnyRoute, subjects: ExampleSubjects): string {
  const path = route.base + route.path;
  const rows = route.query instanceof z.ZodObject ? Object.entries(route.query.shape as Record<string, z.ZodType>) : [];
  const table = rows.map(
    ([name, field]) =>
      `<tr><td><code>${name}</code></td><td>${escapeHtml(field.meta()?.description?.toString() ?? '')}</td></tr>`,
  );
  return `<section id="${route.id}"><h3><code>${route.methods.join(', ').toUpperCase()} ${escapeHtml(path)}</code></h3>
<p>${escapeHtml(route.summary)}. <a href="${escapeHtml(examplePath(route, subjects))}">Example</a></p>${table.length ? `<table>${table.join('')}</table>` : ''}</section>`;
}
