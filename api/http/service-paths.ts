/** Paths beside the list of routes: what watches the service, and its own documents. They take no parameters. */

interface ServicePath {
  readonly id: string;
  readonly summary: string;
  /** Media type of the reply. */
  readonly type: string;
  /** Statuses other than 200, with what they mean. */
  readonly others: Readonly<Record<number, string>>;
}

const json = 'application/json';

const servicePaths = {
  '/healthz': {
    id: 'getHealth',
    summary: 'Whether this process is alive',
    type: json,
    others: { 503: 'Nothing is indexed yet' },
  },
  '/readyz': {
    id: 'getReadiness',
    summary: 'Whether this instance can answer: database, schema, index and nodes, each by itself',
    type: json,
    others: { 503: 'It is not ready; the body says why' },
  },
  '/metrics': {
    id: 'getMetrics',
    summary: 'Metrics of this process, in the text format of Prometheus; for watchers alone',
    type: 'text/plain; version=0.0.4; charset=utf-8',
    others: { 404: 'The caller is not among METRICS_FROM' },
  },
  '/api/v1/openapi.json': { id: 'getOpenApi', summary: 'This document', type: json, others: {} },
  '/docs': { id: 'getDocs', summary: 'The same as a page', type: 'text/html; charset=utf-8', others: {} },
} as const satisfies Readonly<Record<string, ServicePath>>;

export type ServicePathName = keyof typeof servicePaths;

/** As operations of OpenAPI. */
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
