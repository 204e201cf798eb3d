/**
 * JSON-RPC edge: forwards requests to nodes, reports their health, and serves subscriptions.
 * @source docs/mechanisms.md#nodes-behind-proxy-and-edge
 */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import {
  chargeReply,
  forwardRpc,
  limitExceeded,
  maxBodyBytes,
  type RpcCaller,
  type RpcReply,
} from '#gateway/forward.ts';
import { busySeconds, getRetryHeaders } from '#gateway/retry-after.ts';
import { errorText } from '#gateway/rpc-request.ts';
import type { Upstream } from '#gateway/upstream.ts';
import type { Upstreams } from '#gateway/upstreams.ts';
import { BodyPlaces } from '#runtime/budgets/body-places.ts';
import { windowSeconds } from '#runtime/budgets/budget.ts';
import { callerAddress, getAddressPrefix, isWatcherAllowed, type WatcherAccess } from '#runtime/budgets/network.ts';
import type { Log } from '#runtime/log.ts';
import { answerMetrics, type ListenerOptions } from '#runtime/metrics/listener.ts';
import { bodyChunks, drainBody } from '#runtime/request-body.ts';
import { closeSignal, maxStallMs } from '#runtime/response-end.ts';
import { ClientSocket } from './client-socket.ts';
import { EdgeBudgets, type EdgeRates } from './edge-budgets.ts';
import { limitMessages } from './message-limit.ts';
import { type EdgeFigures, EdgeMetrics } from './metrics.ts';
import { Subscriptions } from './subscriptions.ts';
import { UnsentEvents } from './unsent-events.ts';
import { UpstreamEvents } from './upstream-events.ts';

export interface EdgeOptions {
  readonly upstreams: Upstreams;
  /** WebSocket URL of a node; undefined disables subscriptions. */
  readonly wsUrl: string | undefined;
  readonly isReadOnly: boolean;
  readonly maxClients: number;
  readonly rates: EdgeRates;
  /** Clients that may read /metrics and node names. */
  readonly watchers: WatcherAccess;
  readonly log: Log;
  readonly metrics?: EdgeMetrics;
  readonly signal: AbortSignal;
}

const pingEveryMs = 30_000;
/** Time for clients to close their WebSockets when the edge stops, ms. */
const stopMs = 5_000;
const rpcPaths = new Set(['/', '/v1/read']);

export class Edge {
  readonly server: Server;
  readonly #unsentEvents = new UnsentEvents();
  readonly #sockets = new WebSocketServer({ noServer: true, maxPayload: maxBodyBytes, perMessageDeflate: false });
  readonly #clients = new Set<ClientSocket>();
  readonly #subscriptions: Subscriptions | undefined;
  readonly #events: UpstreamEvents | undefined;
  readonly #metrics: EdgeMetrics;
  readonly #budgets: EdgeBudgets;
  readonly #bodies = new BodyPlaces();
  readonly #watchers: Pick<ListenerOptions, 'registry' | 'readiness'>;
  readonly options: EdgeOptions;

  constructor(options: EdgeOptions) {
    this.options = options;

    const { upstreams, wsUrl, log, signal, metrics = new EdgeMetrics() } = options;
    this.#metrics = metrics;
    this.#budgets = new EdgeBudgets(options.rates);
    this.#watchers = { registry: metrics.registry, readiness: metrics.readiness() };
    metrics.watch(upstreams, () => this.#figures());
    this.#events = wsUrl ? new UpstreamEvents(wsUrl, upstreams, log, signal) : undefined;
    this.#subscriptions = this.#events && new Subscriptions(this.#events);
    this.server = createServer(
      { headersTimeout: 10_000, requestTimeout: 60_000, keepAliveTimeout: 65_000 },
      (request, response) => {
        this.#serve(request, response).catch(() => response.destroy());
      },
    );
    this.server.on('upgrade', (request, socket, head) => void this.#upgrade(request, socket, head));
    const pings = setInterval(() => this.#ping(), pingEveryMs);
    signal.addEventListener('abort', () => {
      clearInterval(pings);
      for (const { socket } of this.#clients) socket.close(1001, 'the edge is stopping');
      // clients that do not answer would keep the port in use for 30 s
      setTimeout(() => {
        for (const { socket } of this.#clients) socket.terminate();
      }, stopMs).unref();
    });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = getPath(request).replace(/(.)\/$/, '$1');
    response.setHeader('Access-Control-Allow-Origin', '*');
    if (request.method === 'OPTIONS') {
      response.setHeader('Access-Control-Allow-Headers', request.headers['access-control-request-headers'] ?? '*');
      response.setHeader('Access-Control-Allow-Methods', 'GET, POST, OPTIONS');
      return void response.writeHead(204).end();
    }
    if (request.method === 'POST' && rpcPaths.has(path)) return this.#serveRpc(request, response, path);
    await drainBody(request, response);
    if (!(await this.#budgets.admits(this.#getCaller(request), 1))) {
      const refusal = { error: 'too many requests from this address' };
      return send(response, 429, refusal, getRetryHeaders(windowSeconds));
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') return sendNothing(response);
    await this.#serveGet(request, response, path);
  }

  async #serveGet(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    if (path === '/healthz') {
      const isAlive = this.options.upstreams.writer.head !== undefined;
      return send(response, isAlive ? 200 : 503, { status: isAlive ? 'ok' : 'the writer does not answer' });
    }
    const { watchers, rates } = this.options;
    const isWatcher = isWatcherAllowed(watchers, request.socket.remoteAddress ?? '', request.headers, rates.proxyHops);
    if (path === '/metrics' && !isWatcher) return sendNothing(response);
    if (await answerMetrics(path, this.#watchers, response)) return;
    if (path === '/v1/fleet-status') return send(response, 200, this.#status(isWatcher));
    if (!rpcPaths.has(path)) return sendNothing(response);
    response.setHeader('Allow', 'POST, OPTIONS');
    return send(response, 405, { error: 'send JSON-RPC by POST' });
  }

  async #serveRpc(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const caller = this.#rpcCaller(request, response);
    const target = path === '/v1/read' || this.options.isReadOnly ? 'reads' : 'writer';
    // invalid requests also count against the rate limit
    const isWithinRate = await caller.admits(1);
    const leave = isWithinRate ? this.#bodies.take(request.headers, this.#getCaller(request)) : undefined;
    const text = leave ? await readText(request).finally(leave) : '';
    const startedAt = performance.now();
    const reply: RpcReply = leave
      ? await this.#answerRpc(text, target, caller)
      : refuseCaller(isWithinRate ? busySeconds : windowSeconds);
    await chargeReply(caller, reply.body);
    await drainBody(request, response);
    const retryAfter = reply.retryAfterSeconds ?? (reply.status === 429 ? windowSeconds : undefined);
    const headers = { 'Content-Type': 'application/json', ...getRetryHeaders(retryAfter) };
    response.writeHead(reply.status, headers).end(reply.body);
    response.setTimeout(maxStallMs);
    this.#metrics.observeRequest(target, reply.status, (performance.now() - startedAt) / 1000);
  }

  async #answerRpc(text: string | undefined, target: 'reads' | 'writer', caller: RpcCaller): Promise<RpcReply> {
    if (text === undefined)
      return { status: 413, body: errorText(undefined, -32600, `the body must have at most ${maxBodyBytes} bytes`) };
    return forwardRpc(this.options.upstreams, target, text, caller);
  }

  #rpcCaller(request: IncomingMessage, response: ServerResponse): RpcCaller {
    const ip = this.#getCaller(request);
    const admits = (calls: number) => this.#budgets.admits(ip, calls);
    return { name: getAddressPrefix(ip), delivered: closeSignal(response), admits };
  }

  #getCaller({ socket, headers }: IncomingMessage): string {
    return callerAddress(socket.remoteAddress ?? '', headers, this.options.rates.proxyHops);
  }

  #figures(): EdgeFigures {
    const clients = [...this.#clients];
    return {
      clients: clients.length,
      subscriptions: clients.reduce((sum, client) => sum + client.subscriptionCount, 0),
      isUpstreamConnected: this.#events?.isConnected,
    };
  }

  #status(names: boolean) {
    const { upstreams, isReadOnly } = this.options;
    const { clients, subscriptions } = this.#figures();
    const getHealth = (upstream: Upstream, name: string) => {
      const health = upstreams.getHealth(upstream);
      return names ? health : { ...health, name, lastFault: health.lastFault === null ? null : 'the node failed' };
    };
    return {
      mode: isReadOnly ? 'mirror' : 'writer',
      head: upstreams.head ?? null,
      writer: getHealth(upstreams.writer, 'writer'),
      readPool: upstreams.readers.map((reader, i) => getHealth(reader, `reader-${i + 1}`)),
      webSocket: {
        upstream: this.#events ? (this.#events.isConnected ? 'connected' : 'lost') : 'absent',
        clients,
        subscriptions,
      },
    };
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    if (request.headers.upgrade?.toLowerCase() !== 'websocket') return this.#serveWithoutUpgrade(request, socket, head);
    socket.on('error', () => {}); // without a listener, a socket error would end the process
    const path = getPath(request);
    const isKnown = ['/', '/ws', '/v1/read'].includes(path);
    const ip = this.#getCaller(request);
    const subscriptions = this.#subscriptions;
    const refuse = (status: string, retryAfter?: number) => {
      if (isKnown) this.#metrics.countRejected();
      endUpgrade(socket, status, getRetryHeaders(retryAfter));
    };
    if (!isKnown) return refuse('404 Not Found');
    if (!subscriptions) return refuse('503 Service Unavailable');
    if (this.#clients.size >= this.options.maxClients) return refuse('503 Service Unavailable', busySeconds);
    if (!(await this.#budgets.admits(ip, 1))) return refuse('429 Too Many Requests', windowSeconds);
    if (this.options.signal.aborted) return refuse('503 Service Unavailable', busySeconds);
    const release = this.#budgets.takePlace(ip);
    if (!release) return refuse('429 Too Many Requests', busySeconds);
    socket.once('close', release);
    this.#sockets.handleUpgrade(request, socket, head, (webSocket) => {
      const client = new ClientSocket(webSocket, {
        upstreams: this.options.upstreams,
        subscriptions,
        target: path === '/v1/read' || this.options.isReadOnly ? 'reads' : 'writer',
        caller: { name: getAddressPrefix(ip), admits: (calls) => this.#budgets.admits(ip, calls) },
        takeSubscription: () => this.#budgets.takeSubscription(ip),
        unsentEvents: this.#unsentEvents,
        onSlow: () => this.#metrics.countDisconnect('slow'),
      });
      limitMessages(webSocket, socket, () => this.#bodies.takeLarge(ip));
      this.#clients.add(client);
      webSocket.on('close', () => this.#clients.delete(client));
    });
  }

  /** Ignores the offer of another protocol, such as h2c, and answers the request by HTTP/1.1. @source RFC 9110, 7.8 */
  #serveWithoutUpgrade({ method, url, rawHeaders }: IncomingMessage, socket: Duplex, head: Buffer): void {
    const lines = [`${method} ${url} HTTP/1.1`];
    for (let i = 0; i < rawHeaders.length; i += 2)
      if (!/^(connection|upgrade|http2-settings)$/i.test(rawHeaders[i] ?? ''))
        lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`);
    socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
    this.server.emit('connection', socket);
  }

  #ping(): void {
    for (const client of this.#clients) {
      if (client.disconnectIfSlow()) continue;
      if (!client.wasHeard()) {
        this.#metrics.countDisconnect('silent');
        client.socket.terminate();
      }
      client.isAlive = false;
      client.socket.ping();
    }
  }
}

/** Accepts the absolute URLs that proxies send. @source RFC 9112, 3.2 */
function getPath({ url = '/' }: IncomingMessage): string {
  return (URL.canParse(url) ? new URL(url).pathname : url).replace(/\?.*/s, '');
}

function refuseCaller(retryAfterSeconds: number): RpcReply {
  const { status, body } = limitExceeded();
  return { status, body, retryAfterSeconds };
}

function endUpgrade(socket: Duplex, status: string, headers: Record<string, string>): void {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  // the client might never close its side
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n${lines.join('')}\r\n`);
}

function send(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response
    .writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...headers })
    .end(JSON.stringify(body));
}

const sendNothing = (response: ServerResponse) => send(response, 404, { error: 'not found' });

async function readText(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of bodyChunks(request)) {
    size += chunk.length;
    if (size > maxBodyBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
