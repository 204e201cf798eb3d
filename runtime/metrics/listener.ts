import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Registry } from 'prom-client';
import { getFirst } from '../lists.ts';
import type { Readiness } from './readiness.ts';

export interface ListenerOptions {
  readonly host: string;
  readonly port: number;
  readonly registry: Registry;
  readonly readiness: Readiness;
  /** Body of /healthz, whose status is always 200. Default: `{ status: 'ok' }`. */
  readonly health?: () => { readonly status: string };
}

/** Starts a server for /metrics, /healthz and /readyz. @throws Error if the port is in use */
export function listenForMetrics(options: ListenerOptions): Promise<Server> {
  const server = createServer({ headersTimeout: 10_000, requestTimeout: 10_000 }, (request, response) => {
    const path = getFirst((request.url ?? '/').split('?'));
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    (isRead ? answerMetrics(path, options, response) : Promise.resolve(false))
      .then((isAnswered) => isAnswered || sendJson(response, 404, { error: 'not found' }))
      .catch(() => response.destroy());
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, () => resolve(server));
  });
}

/** Answers /metrics, /readyz and /healthz. @returns false for other paths */
export async function answerMetrics(
  path: string,
  { registry, readiness, health }: Pick<ListenerOptions, 'registry' | 'readiness' | 'health'>,
  response: ServerResponse,
): Promise<boolean> {
  if (path === '/metrics') {
    const text = await registry.metrics();
    response.writeHead(200, { 'Content-Type': registry.contentType, 'Cache-Control': 'no-store' }).end(text);
    return true;
  }
  if (path === '/readyz') {
    const { isReady, body } = await readiness.report();
    sendJson(response, isReady ? 200 : 503, body);
    return true;
  }
  if (path !== '/healthz') return false;
  sendJson(response, 200, health?.() ?? { status: 'ok' });
  return true;
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response
    .writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
    .end(JSON.stringify(body));
}
