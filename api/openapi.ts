/** The OpenAPI document, derived from the routes. */
import { z } from 'zod';
import type { AnyRoute } from './define-route.ts';
import { problems } from './errors.ts';

type Json = Record<string, unknown>;

export function openApiDocument(routes: readonly AnyRoute[]): Json {
  const paths: Record<string, Json> = {};
  const schemas: Json = {};
  for (const route of routes) {
    const path = (route.base + route.path).replace(/:(\w+)/g, '{$1}');
    paths[path] = Object.fromEntries(route.methods.map((method) => [method, operation(route, method, schemas)]));
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Cordscan',
      version: '1',
      description: 'Explorer of one EVM chain; amounts are decimal strings in wei.',
    },
    servers: [{ url: '/' }],
    paths,
    components: { schemas: { ...schemas, Problem: problemSchema } },
  };
}

function operation(route: AnyRoute, method: string, schemas: Json): Json {
  const suffix = route.methods.length > 1 ? `_${method}` : '';
  return {
    operationId: route.id + suffix,
    tags: [route.tag],
    summary: route.summary,
    description: `Specification ${route.section}. Example: ${route.base}${route.base === '' ? route.example : route.example}`,
    parameters: [...parameters(route.params, 'path'), ...parameters(route.query, 'query')],
    responses: {
      200: {
        description: 'OK',
        content: { 'application/json': { schema: schemaOf(route.response, 'output', schemas) } },
      },
      ...errorResponses(route),
    },
  };
}

function parameters(schema: z.ZodType, place: 'path' | 'query'): Json[] {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape as Record<string, z.ZodType>).map(([name, field]) => {
    const { description, ...rest } = schemaOf(field, 'input', {}) as { description?: string };
    return { name, in: place, required: place === 'path', ...(description ? { description } : {}), schema: rest };
  });
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output', schemas: Json): Json {
  const {
    $schema: _,
    $defs,
    ...json
  } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json & { $defs?: Json };
  for (const [name, definition] of Object.entries($defs ?? {})) schemas[name] = rewrite(definition);
  const { id, ...own } = json as Json & { id?: string };
  return rewrite(own) as Json;
}

/** References of zod's into the document's own components. */
function rewrite(value: unknown): unknown {
  const text = JSON.stringify(value).replaceAll('#/$defs/', '#/components/schemas/');
  return JSON.parse(text, (key, item) =>
    key === '' && item && typeof item === 'object' ? { ...item, id: undefined } : item,
  );
}

function errorResponses(route: AnyRoute): Json {
  const byStatus = new Map<number, string[]>();
  for (const code of route.errors) {
    const { status, title } = problems[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), `${code}: ${title}`]);
  }
  const content = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };
  return Object.fromEntries(
    [...byStatus].map(([status, texts]) => [status, { description: texts.join('; '), content }]),
  );
}

const problemSchema = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code', 'requestId'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { enum: Object.keys(problems) },
    requestId: { type: 'string' },
    details: {},
  },
};
