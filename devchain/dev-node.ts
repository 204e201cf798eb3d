/**
 * JSON-RPC server of the dev chain. Answers x_* methods, forwards all others to anvil. HTTP calls that remove blocks
 * run alone, because anvil 1.7.1 panics if it reads receipts while it removes their block.
 */
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import PQueue from 'p-queue';
import { sliceArray } from '#gateway/json-slices.ts';
import { known } from '#runtime/known.ts';

const removesBlocks = /"(?:anvil_reorg|anvil_rollback|evm_revert)"/;
/**
 * Longer than clients keep unused connections, so that no client sends a request on a connection that the server
 * closes.
 */
const keepAliveMs = 600_000;
const extension = /^[a-z-]+-extension:\/\//;
const refusal =
  'Web pages may not use the dev chain because it signs for unlocked accounts. Use the JSON-RPC edge instead.';

export type DevMethod = (params: readonly unknown[]) => Promise<unknown> | unknown;

export interface DevNodeOptions {
  readonly port: number;
  readonly host: string;
  readonly target: string;
  readonly methods: Readonly<Record<string, DevMethod>>;
}

export interface DevNode {
  readonly url: string;
  stop(): Promise<void>;
}

interface Call {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
}

/** @throws Error if the port is taken */
export async function startDevNode(options: DevNodeOptions): Promise<DevNode> {
  const { port, host } = options;
  const target = new URL(options.target);
  const anvil = new AnvilClient(options.target);
  const server = createServer((incoming, response) => {
    if (isOfPage(incoming)) return void refuse(response);
    answer(options, anvil, incoming, response).catch(() => {
      if (!response.headersSent) response.writeHead(502);
      response.end();
    });
  });
  server.keepAliveTimeout = keepAliveMs;
  const tunnels = new Set<Duplex>();
  server.on('upgrade', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (isOfPage(incoming)) return void socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
    tunnels.add(socket);
    socket.once('close', () => tunnels.delete(socket));
    tunnel(target, incoming, socket, head);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    url: `http://${host}:${port}`,
    stop: async () => {
      for (const socket of tunnels) socket.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      anvil.close();
    },
  };
}

export function unusedPort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createTcpServer();
    server.once('error', reject);
    server.listen(0, host, () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

/**
 * Returns whether a web page sent the request: browsers then set Origin. Extensions, such as wallets, are allowed.
 * @source https://fetch.spec.whatwg.org/#origin-header
 */
function isOfPage({ headers }: IncomingMessage): boolean {
  return headers.origin !== undefined && !extension.test(headers.origin);
}

function refuse(response: ServerResponse): void {
  response.writeHead(403, { 'content-type': 'application/json', connection: 'close' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32600, message: refusal } }));
}

async function answer(
  { methods }: DevNodeOptions,
  anvil: AnvilClient,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await buffer(incoming);
  const split = body.includes('"x_') ? splitCalls(body.toString(), methods) : undefined;
  if (!split) {
    const reply = await anvil.forward(incoming, body);
    response.writeHead(known(reply.statusCode, 'the status of a reply'), reply.rawHeaders);
    reply.pipe(response);
    return;
  }
  const own = await Promise.all(split.own.map(async (call) => [call, await answerOwn(methods, call)] as const));
  const texts = own.flatMap(([{ id }, reply]) => (id === undefined ? [] : [JSON.stringify(reply)]));
  if (split.others.length > 0) {
    const others = await anvil.forward(incoming, Buffer.from(`[${split.others.join(',')}]`));
    const told = (await buffer(others)).toString().trim();
    if (told !== '') texts.push(...(told.startsWith('[') ? sliceArray(told) : [told]));
  }
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(split.isBatch ? `[${texts.join(',')}]` : (texts[0] ?? ''));
}

function splitCalls(text: string, methods: DevNodeOptions['methods']) {
  const parsed = parse(text);
  const isBatch = Array.isArray(parsed);
  const calls = (isBatch ? parsed : [parsed]) as (Call | null)[];
  const isOwn = (call: Call | null | undefined): call is Call => Object.hasOwn(methods, String(call?.method));
  const own = calls.filter(isOwn);
  if (own.length === 0) return undefined;
  const texts = isBatch ? sliceArray(text) : [text];
  return { isBatch, own, others: texts.filter((_, i) => !isOwn(calls[i])) };
}

/** Returns undefined for invalid JSON. The caller forwards it, and anvil returns an error. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function answerOwn(methods: DevNodeOptions['methods'], { id = null, method, params }: Call) {
  try {
    const call = known(methods[String(method)], 'the method');
    return { jsonrpc: '2.0', id, result: await call(Array.isArray(params) ? params : []) };
  } catch (error) {
    return { jsonrpc: '2.0', id, error: { code: -32602, message: (error as Error).message } };
  }
}

class AnvilClient {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #requests = new PQueue();
  readonly #removals = new PQueue({ concurrency: 1 });
  readonly target: string;

  constructor(target: string) {
    this.target = target;
  }

  forward(incoming: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
    const send = () => this.#send(incoming, body);
    return removesBlocks.test(body.toString()) ? this.#sendAlone(send) : this.#requests.add(send);
  }

  close(): void {
    this.#agent.destroy();
  }

  #sendAlone<T>(send: () => Promise<T>): Promise<T> {
    return this.#removals.add(async () => {
      this.#requests.pause();
      try {
        await this.#requests.onPendingZero();
        return await send();
      } finally {
        this.#requests.start();
      }
    });
  }

  /** Resolves when the reply begins, because anvil then has read all data for it. */
  #send({ method, url, headers }: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
    const { 'transfer-encoding': _, ...kept } = headers;
    return new Promise((resolve, reject) => {
      const outgoing = request(new URL(url ?? '/', this.target), {
        method,
        agent: this.#agent,
        headers: { ...kept, 'content-length': String(body.length) },
      });
      outgoing.once('response', resolve).once('error', reject).end(body);
    });
  }
}

function tunnel(target: URL, { method, url, rawHeaders }: IncomingMessage, socket: Duplex, head: Buffer): void {
  const upstream = connect(Number(target.port), target.hostname, () => {
    const fields = rawHeaders.map((part, i) => part + (i % 2 === 0 ? ': ' : '\r\n')).join('');
    upstream.write(`${method} ${url} HTTP/1.1\r\n${fields}\r\n`);
    upstream.write(head);
    upstream.pipe(socket).pipe(upstream);
  });
  const end = () => {
    upstream.destroy();
    socket.destroy();
  };
  for (const side of [upstream, socket]) side.once('error', end).once('close', end);
}
