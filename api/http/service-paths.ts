/** Paths for monitoring and documentation. They have no parameters and are not in the list of routes. */

interface ServicePath {
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  readonly reply?: string;
  readonly type: string;
  readonly others: Readonly<Record<number, string>>;
}

const json = 'application/json';

const servicePaths = {
  '/healthz': {
    id: 'getHealth',
    summary: 'Check whether this process is alive',
    type: json,
    reply: 'Health',
    others: { 503: 'No block is indexed yet' },
  },
  '/readyz': {
    id: 'getReadiness',
    summary: 'Check whether this instance is ready for requests',
    description: 'The reply contains the results of three checks: of the database, of its schema, and of the index.',
    type: json,
    reply: 'Readiness',
    others: { 503: 'The instance is not ready; the body says which check failed and why' },
  },
  '/metrics': {
    id: 'getMetrics',
    summary: 'Prometheus metrics of this process',
    description: 'The configuration variable METRICS_FROM sets which clients can read the metrics.',
    type: 'text/plain; version=0.0.4; charset=utf-8',
    others: { 404: 'METRICS_FROM does not allow this caller' },
  },
  '/api/v1/openapi.json': { id: 'getOpenApi', summary: 'OpenAPI document of this API', type: json, others: {} },
  '/docs': { id: 'getDocs', summary: 'API documentation as a web page', type: 'text/html; charset=utf-8', others: {} },
} as const satisfies Readonly<Record<string, ServicePath>>;

export const serviceSchemas = {
  Health: {
    type: 'object',
    required: ['status'],
    properties: { status: { type: 'string', enum: ['ok', 'starting'] } },
  },
  Readiness: {
    type: 'object',
    required: ['status', 'checks'],
    properties: {
      status: { type: 'string', enum: ['ready', 'not ready'] },
      checks: {
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'Result of each check, by name of the check: ok, or a description of the problem',
      },
    },
  },
};

function getSchema({ type, reply }: ServicePath): Record<string, unknown> {
  if (reply) return { $ref: `#/components/schemas/${reply}` };
  return type === json ? { type: 'object', additionalProperties: true } : { type: 'string' };
}

export type ServicePathName = keyof typeof servicePaths;

export function servicePathItems(): Record<string, { readonly get: Record<string, unknown> }> {
  const items = Object.entries<ServicePath>(servicePaths).map(([path, service]) => {
    const { id, summary, description, others } = service;
    const content = { [service.type]: { schema: getSchema(service) } };
    const failures = Object.entries(others).map(([status, text]) => [
      status,
      { description: text, ...(service.reply ? { content } : {}) },
    ]);
    const responses = { 200: { description: 'OK', content }, ...Object.fromEntries(failures) };
    const texts = { summary, ...(description ? { description } : {}) };
    return [path, { get: { operationId: id, tags: ['service'], ...texts, parameters: [], responses } }] as const;
  });
  return Object.fromEntries(items);
}
