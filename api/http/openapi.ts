import { z } from 'zod';
import type { Access } from '../read/identity/access.ts';
import type { AnyRoute } from './define-route.ts';
import { type ExampleSubjects, exampleValues, fillExample } from './examples.ts';
import { type Json, toParameterSchema, toSchema } from './json-schema.ts';
import { type ExampleReplies, headers, jsonType, problemSchema, responses } from './openapi-replies.ts';
import { routeTags } from './route-tags.ts';
import { servicePathItems, serviceSchemas } from './service-paths.ts';

export function openApiDocument(
  routes: readonly AnyRoute[],
  subjects: ExampleSubjects,
  replies: ExampleReplies = {},
): Json {
  const paths: Record<string, Json> = {};
  const schemas: Json = {};
  for (const route of routes) {
    const path = (route.base + route.path).replace(/:(\w+)/g, '{$1}');
    const operations = route.methods.map((method) => [
      method,
      operation(route, method, { subjects, replies, schemas }),
    ]);
    paths[path] = { ...paths[path], ...Object.fromEntries(operations) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Cordscan',
      version: '1',
      description:
        'API of an explorer for one EVM chain. Amounts of the native coin are decimal strings in wei. Times are Unix seconds, or text in the format of ISO 8601. The API calls a block an anchor.',
    },
    externalDocs: {
      description: 'This documentation as a web page, which also explains sign-in, rate limits and paging',
      url: '/docs',
    },
    servers: [{ url: '/' }],
    tags: Object.entries(routeTags).map(([name, docs]) => ({ name, ...docs })),
    paths: { ...paths, ...servicePathItems() },
    components: {
      schemas: { ...schemas, ...serviceSchemas, Problem: problemSchema },
      headers,
      securitySchemes: usedSchemes(routes),
    },
  };
}

interface OperationContext {
  readonly subjects: ExampleSubjects;
  readonly replies: ExampleReplies;
  readonly schemas: Json;
}

function operation(route: AnyRoute, method: string, { subjects, replies, schemas }: OperationContext): Json {
  const examples = exampleValues(route, subjects);
  const suffix = route.methods.length > 1 ? `_${method}` : '';
  return {
    operationId: route.id + suffix,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description ? { description: route.description } : {}),
    parameters: [
      ...parameters(route.params, 'path', examples),
      ...parameters(route.shownQuery ?? route.query, 'query', examples),
      ...parameters(route.headers, 'header', {}),
    ],
    ...(route.access && route.access !== 'public' ? { security: securityByAccess[route.access] } : {}),
    ...(route.body ? { requestBody: requestBody(route.body, subjects, schemas) } : {}),
    responses: responses(route, replies, schemas),
  };
}

function requestBody(
  { schema, shown, mediaTypes = [jsonType], mayBeAbsent, example }: NonNullable<AnyRoute['body']>,
  subjects: ExampleSubjects,
  schemas: Json,
): Json {
  const entries = mediaTypes.map((type) => {
    if (type !== jsonType) return [type, { schema: { type: 'string' } }];
    return [type, { schema: toSchema(shown ?? schema, 'input', schemas), example: fillExample(example, subjects) }];
  });
  return { required: !mayBeAbsent, content: Object.fromEntries(entries) };
}

function parameters(
  schema: z.ZodType | undefined,
  place: 'path' | 'query' | 'header',
  examples: Record<string, string>,
): Json[] {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape as Record<string, z.ZodType>).map(([name, field]) => {
    const { description, example: usual, ...rest } = toParameterSchema(field);
    const example = examples[name] ?? usual;
    return {
      name,
      in: place,
      required: place === 'path' || !field.safeParse(undefined).success,
      schema: rest,
      ...(description ? { description } : {}),
      ...(example === undefined ? {} : { example: rest['type'] === 'integer' ? Number(example) : example }),
    };
  });
}

const securitySchemes = {
  accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
  adminToken: { type: 'apiKey', in: 'header', name: 'X-Admin-Token' },
};

type SchemeName = keyof typeof securitySchemes;

const securityByAccess: Readonly<Record<Exclude<Access, 'public'>, readonly Partial<Record<SchemeName, never[]>>[]>> = {
  token: [{ accessToken: [] }],
  credential: [{ accessToken: [] }, { apiKey: [] }],
  operator: [{ accessToken: [] }, { apiKey: [] }],
  admin: [{ adminToken: [] }],
  key: [{ apiKey: [] }],
};

function usedSchemes(routes: readonly AnyRoute[]): Json {
  const names = routes.flatMap(({ access = 'public' }) => (access === 'public' ? [] : securityByAccess[access]));
  const used = new Set(names.flatMap((one) => Object.keys(one)));
  return Object.fromEntries(Object.entries(securitySchemes).filter(([name]) => used.has(name)));
}
