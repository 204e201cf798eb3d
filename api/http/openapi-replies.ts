import { z } from 'zod';
import { problems } from '../terms/errors.ts';
import type { AnyRoute } from './define-route.ts';
import { exposedHeaders } from './exposed-headers.ts';
import { type Json, toSchema } from './json-schema.ts';
import { listRouteErrors } from './route-errors.ts';

export const jsonType = 'application/json';

/** By route id; text if the first media type is not JSON. */
export type ExampleReplies = Readonly<Record<string, unknown>>;

const textHeaders = ['X-Request-Id'] as const;
const integerHeaders = [
  ...(['X-Index-Head', 'X-Chain-Head', 'Retry-After'] as const),
  ...(['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const),
];
const describeHeaders = (names: readonly (keyof typeof exposedHeaders)[], type: string) =>
  Object.fromEntries(names.map((name) => [name, { description: exposedHeaders[name], schema: { type } }]));

export const headers: Readonly<Record<string, Json>> = {
  ...describeHeaders(textHeaders, 'string'),
  ...describeHeaders(integerHeaders, 'integer'),
};

const ofEveryReply = ['X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];
const refs = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

export function responses(route: AnyRoute, replies: ExampleReplies, schemas: Json): Json {
  const status = route.successStatus ?? 200;
  const hasIndex = route.response instanceof z.ZodObject && 'index' in route.response.shape;
  const names = [...ofEveryReply, ...(hasIndex ? ['X-Index-Head', 'X-Chain-Head'] : [])];
  const success = { description: 'OK', headers: refs(names) };
  return {
    [status]: status === 204 ? success : { ...success, content: content(route, replies[route.id], schemas) },
    ...errorResponses(route),
  };
}

function content({ response, item, mediaTypes = [jsonType] }: AnyRoute, example: unknown, schemas: Json): Json {
  const entries = mediaTypes.map((type) => {
    const isJson = type === jsonType;
    const schema = isJson ? toSchema(response, 'output', schemas) : textSchema(type, item?.[type], schemas);
    const hasExample = isJson ? typeof example === 'object' : typeof example === 'string' && type === mediaTypes[0];
    return [type, { schema, ...(hasExample ? { example } : {}) }];
  });
  return Object.fromEntries(entries);
}

function textSchema(type: string, item: z.ZodType | undefined, schemas: Json): Json {
  if (type.startsWith('application/vnd.apache.')) return { type: 'string', format: 'binary' };
  return { type: 'string', ...(item ? { contentSchema: toSchema(item, 'output', schemas) } : {}) };
}

function errorResponses(route: AnyRoute): Json {
  const byStatus = new Map<number, string[]>();
  for (const code of listRouteErrors(route)) {
    const { status, title } = problems[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), `${code}: ${title}`]);
  }
  const content = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };
  const entries = [...byStatus].map(([status, texts]) => {
    const mayRetry = status === 429 || status === 503;
    const retry = mayRetry ? { headers: refs(['Retry-After']) } : {};
    return [status, { description: texts.join('; '), ...retry, content }];
  });
  return Object.fromEntries(entries);
}

export const problemSchema = {
  type: 'object',
  description: 'Error reply in the format of RFC 9457',
  required: ['type', 'title', 'status', 'detail', 'code', 'requestId'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: {
      type: 'string',
      description: 'Sentence that says what is wrong with the request, and which values are accepted',
    },
    code: { type: 'string', enum: Object.keys(problems) },
    requestId: { type: 'string' },
    valid: { type: 'boolean', description: 'false if the API key of the request is unknown or revoked; else absent' },
    details: {
      type: 'object',
      additionalProperties: true,
      description: 'Further data about the error; the fields of this object depend on code',
    },
  },
};
