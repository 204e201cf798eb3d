/** Derives the OpenAPI document from the routes. */
import { z } from 'zod';
import type { Access } from '../read/identity/access.ts';
import { problems } from '../terms/errors.ts';
import type { AnyRoute } from './define-route.ts';
import { type ExampleSubjects, exampleValues, fillExample } from './examples.ts';
import { listRouteErrors } from './route-errors.ts';
import { servicePathItems } from './service-paths.ts';

type Json = Record<string, unknown>;

const json = 'application/json';

/** Returns the OpenAPI document. @param subjects ids of the chain for the examples */
export function openApiDocument(routes: readonly AnyRoute[], subjects: ExampleSubjects): Json {
  const paths: Record<string, Json> = {};
  const schemas: Json = {};
  for (const route of routes) {
    const path = (route.base + route.path).replace(/:(\w+)/g, '{$1}');
    paths[path] = {
      ...paths[path],
      ...Object.fromEntries(route.methods.map((method) => [method, operation(route, method, subjects, schemas)])),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Cordscan',
      version: '1',
      description: 'Explorer of one EVM chain. Amounts are decimal strings in wei.',
    },
    servers: [{ url: '/' }],
    paths: { ...paths, ...servicePathItems() },
    components: { schemas: { ...schemas, Problem: problemSchema }, securitySchemes: usedSchemes(routes) },
  };
}

function operation(route: AnyRoute, method: string, subjects: ExampleSubjects, schemas: Json): Json {
  const examples = exampleValues(route, subjects);
  const suffix = route.methods.length > 1 ? `_${method}` : '';
  return {
    operationId: route.id + suffix,
    tags: [route.tag],
    summary: route.summary,
    description: `Specification ${route.section}.`,
    parameters: [...parameters(route.params, 'path', examples), ...parameters(route.query, 'query', examples)],
    ...(route.access && route.access !== 'public' ? { security: securityOf[route.access] } : {}),
    ...(route.body ? { requestBody: requestBody(route.body, subjects, schemas) } : {}),
    responses: {
      [route.successStatus ?? 200]: {
        description: 'OK',
        content: content(route, schemas),
      },
      ...errorResponses(route),
    },
  };
}

function requestBody(
  { schema, isRaw, read, example }: NonNullable<AnyRoute['body']>,
  subjects: ExampleSubjects,
  schemas: Json,
): Json {
  const type = isRaw || read ? { type: 'object' } : schemaOf(schema, 'input', schemas);
  return { required: true, content: { [json]: { schema: type, example: fillExample(example, subjects) } } };
}

function content({ response, mediaTypes = [json] }: AnyRoute, schemas: Json): Json {
  const schemaFor = (type: string) => (type === json ? schemaOf(response, 'output', schemas) : { type: 'string' });
  return Object.fromEntries(mediaTypes.map((type) => [type, { schema: schemaFor(type) }]));
}

function parameters(schema: z.ZodType, place: 'path' | 'query', examples: Record<string, string>): Json[] {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape as Record<string, z.ZodType>).map(([name, field]) => {
    const {
      description,
      example: usual,
      ...rest
    } = schemaOf(field, 'input', {}) as { description?: string; example?: string };
    const example = examples[name] ?? usual;
    return {
      name,
      in: place,
      required: place === 'path' || !field.safeParse(undefined).success,
      schema: rest,
      ...(description ? { description } : {}),
      ...(example === undefined ? {} : { example }),
    };
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

function rewrite(value: unknown): unknown {
  const text = JSON.stringify(value).replaceAll('#/$defs/', '#/components/schemas/');
  return JSON.parse(text, (key, item) =>
    key === '' && item && typeof item === 'object' ? { ...item, id: undefined } : item,
  );
}

function errorResponses(route: AnyRoute): Json {
  const byStatus = new Map<number, string[]>();
  for (const code of listRouteErrors(route)) {
    const { status, title } = problems[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), `${code}: ${title}`]);
  }
  const content = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };
  return Object.fromEntries(
    [...byStatus].map(([status, texts]) => [status, { description: texts.join('; '), content }]),
  );
}

const securitySchemes = {
  accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
  adminToken: { type: 'apiKey', in: 'header', name: 'X-Admin-Token' },
};

type SchemeName = keyof typeof securitySchemes;

const securityOf: Readonly<Record<Exclude<Access, 'public'>, readonly Partial<Record<SchemeName, never[]>>[]>> = {
  token: [{ accessToken: [] }],
  credential: [{ accessToken: [] }, { apiKey: [] }],
  operator: [{ accessToken: [] }, { apiKey: [] }],
  admin: [{ adminToken: [] }],
  key: [{ apiKey: [] }],
};

function usedSchemes(routes: readonly AnyRoute[]): Json {
  const names = routes.flatMap(({ access = 'public' }) => (access === 'public' ? [] : securityOf[access]));
  const used = new Set(names.flatMap((one) => Object.keys(one)));
  return Object.fromEntries(Object.entries(securitySchemes).filter(([name]) => used.has(name)));
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
    valid: { type: 'boolean', description: 'false if the API key is invalid' },
    details: {},
  },
};
