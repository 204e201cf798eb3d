/** Monitoring and documentation paths outside the list of routes. They take no parameters. */

interface ServicePath {
  readonly id: string;
  readonly summary: string;
  readonly type: string;
  readonly others: Readonly<Record<number, string>>;
}

const json = 'application/json';

const servicePaths = {
  '/healthz': {
    id: 'getHealth',
    summary: 'Liveness of this process',
    type: json,
    others: { 503: 'Nothing is indexed yet' },
  },
  '/readyz': {
    id: 'getReadiness',
    summary: 'Readiness of this instance, with separate results for database, schema, index and nodes',
    type: json,
    others: { 503: 'Not ready; the body gives the reason' },
  },
  '/metrics': {
    id: 'getMetrics',
    summary: 'Prometheus metrics of this process; only for clients listed in METRICS_FROM',
    type: 'text/plain; version=0.0.4; charset=utf-8',
    others: { 404: 'The caller is not listed in METRICS_FROM' },
  },
  '/api/v1/openapi.json': { id: 'getOpenApi', summary: 'OpenAPI document', type: json, others: {} },
  '/docs': { id: 'getDocs', summary: 'API documentation as a page', type: 'text/html; charset=utf-8', others: {} },
} as const satisfies Readonly<Record<string, ServicePath>>;

export type ServicePathName = keyof typeof servicePaths;

export function servicePathItems(): Record<string, { readonly get: Record<string, unknown> }> {
  const items = Object.entries<ServicePath>(servicePaths).map(([path, { id, summary, type, others }]) => {
    const schema = type === json ? { type: 'object' } : { type: 'string' };
    const responses = {
      200: { description: 'OK', content: { [type]: { schema } } },
      ...Object.fromEntries(Object.entries(others).map(([status, description]) => [status, { description }])),
    };
    return [path, { get: { operationId: id, tags: ['service'], summary, parameters: [], responses } }] as const;
  });
  return Object.fromEntries(items);
}
