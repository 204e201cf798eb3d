import { z } from 'zod';
import { type Html, html } from '../../drawing/html.ts';
import type { AnyRoute } from '../../http/define-route.ts';
import { type ExampleSubjects, examplePath, fillExample } from '../../http/examples.ts';
import { type Json, toParameterSchema } from '../../http/json-schema.ts';
import type { ExampleReplies } from '../../http/openapi-replies.ts';
import { listRouteErrors } from '../../http/route-errors.ts';
import type { Access } from '../../read/identity/access.ts';
import { problems } from '../../terms/errors.ts';

export interface RouteDocs {
  readonly subjects: ExampleSubjects;
  readonly replies: ExampleReplies;
  readonly origin: string;
}

const token = '-H "Authorization: Bearer $TOKEN"';
const credentials: Readonly<Record<Access, string>> = {
  public: '',
  token,
  credential: token,
  operator: token,
  key: '-H "X-API-Key: $KEY"',
  admin: '-H "X-Admin-Token: $ADMIN_TOKEN"',
};

export function routeSection(route: AnyRoute, { subjects, replies, origin }: RouteDocs): Html {
  const path = examplePath(route, subjects);
  const access = route.access ?? 'public';
  const isOpen = route.methods.includes('get') && access === 'public';
  const link = isOpen && html` <a href="${path}" aria-label="Example of ${route.id}">Example</a>`;
  const reply = replies[route.id];
  return html`<section id="${route.id}"><h3><code><span class="muted">${route.methods.join(', ').toUpperCase()}</span> ${route.base + route.path}</code></h3>
<p>${route.summary}. ${route.description}${link}</p><pre class="raw">${curl(route, origin + path, subjects)}</pre>${parameterList(route)}${reply !== undefined && html`<details><summary>Reply</summary><pre class="raw">${typeof reply === 'string' ? reply : JSON.stringify(reply, null, 1)}</pre></details>`}
<p class="muted">Errors: ${listErrors(route)}</p></section>
`;
}

function curl({ methods, access = 'public', body }: AnyRoute, url: string, subjects: ExampleSubjects): string {
  const method = methods[0]?.toUpperCase() ?? 'GET';
  const data = body
    ? `-H 'Content-Type: application/json' -d '${JSON.stringify(fillExample(body.example, subjects))}'`
    : '';
  const words = ['curl', method === 'GET' ? '' : `-X ${method}`, `'${url}'`, credentials[access], data];
  return words.filter((word) => word !== '').join(' ');
}

function parameterList({ params, query, shownQuery, headers }: AnyRoute): Html | false {
  const fields = [params, shownQuery ?? query, headers].flatMap((schema) =>
    schema instanceof z.ZodObject ? Object.entries(schema.shape as Record<string, z.ZodType>) : [],
  );
  const rows = fields.map(([name, field]) => {
    const { description, ...schema } = toParameterSchema(field);
    const isRequired = !field.safeParse(undefined).success;
    return html`<div><dt><code>${name}</code></dt><dd>${String(description ?? '')} <span class="muted">(${describeType(schema)}${isRequired && ', required'})</span></dd></div>`;
  });
  return rows.length > 0 && html`<dl class="values">${rows}</dl>`;
}

function describeType({ type, enum: values, minimum, maximum, default: usual }: Json): string {
  const range = maximum === undefined ? '' : ` ${minimum} to ${maximum}`;
  const kind = Array.isArray(values) ? values.join(', ') : `${type ?? 'string'}${range}`;
  return usual === undefined ? kind : `${kind}; default ${usual}`;
}

function listErrors(route: AnyRoute): Html[] {
  const codes = listRouteErrors(route).filter((code) => problems[code].status < 500 && code !== 'rate_limited');
  const own = codes.map((code) => html`<a href="#problem-${code}">${code}</a> `);
  return [...own, html`<a href="#errors">and those of every route</a>`];
}
