import { Pool } from 'undici';
import { readBounded } from '#runtime/read-bounded.ts';
import { credentialHeaders } from '#runtime/url-credentials.ts';
import { isWrite } from './method-policy.ts';
import { RpcRefusal } from './rpc-request.ts';

export interface UpstreamReply {
  readonly status: number;
  readonly body: Buffer;
}

export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  /** unsent: the request did not reach the node; invalid: the reply doesn't match the request. */
  readonly reason: 'unsent' | 'timeout' | 'broken' | 'status' | 'invalid';
  constructor(reason: 'unsent' | 'timeout' | 'broken' | 'status' | 'invalid', message: string) {
    super(message);
    this.reason = reason;
  }
}

/** All nodes for reads are far behind or do not answer. Nothing was sent. */
export class NodesBehind extends UpstreamError {
  constructor() {
    super('unsent', 'no node for reads is near the newest block: try again later');
  }
}

export type UpstreamState = 'ok' | 'degraded' | 'out';

/** `name` contains no credentials or path. */
export interface UpstreamHealth {
  readonly name: string;
  readonly state: UpstreamState;
  readonly head: number | null;
  readonly lagBlocks: number | null;
  readonly latencyMs: number | null;
  readonly lastFault: string | null;
}

/**
 * Connections by purpose. own: requests that no client causes, such as blocks that the edge missed; they must not wait
 * for client requests. probes: health checks.
 */
export type Lane = 'reads' | 'writes' | 'own' | 'probes';

const maxReplyBytes = 64 * 1024 * 1024;
const unsentCodes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'UND_ERR_CONNECT_TIMEOUT', 'EAI_AGAIN']);

export class Upstream {
  readonly name: string;
  head: number | undefined;
  /** Last head that the node reported, and its time, performance.now(). `head` is undefined after a failed probe. */
  heardHead = -1;
  heardAt = Number.NEGATIVE_INFINITY;
  latencyMs: number | undefined;
  lastFault: string | undefined;
  /** Unix ms until which other nodes are tried first. */
  avoidUntil = 0;
  /** False until the first probe ends. */
  isProbed = false;
  /** The node serves another chain, so it gets only probes. */
  isForeign = false;
  /** When to check the chain of the node again, performance.now(). */
  chainCheckAt = 0;
  readonly #pools: Readonly<Record<Lane, Pool>>;
  readonly #path: string;
  readonly #headers: Record<string, string>;
  readonly url: string;

  constructor(url: string) {
    this.url = url;

    const location = new URL(url);
    const { host, origin, pathname, search } = location;
    this.name = host;
    this.#path = pathname + search;
    const openPool = (connections: number) => new Pool(origin, { connections, pipelining: 1, connectTimeout: 3_000 });
    this.#pools = { reads: openPool(64), writes: openPool(16), own: openPool(8), probes: openPool(2) };
    this.#headers = { 'content-type': 'application/json', ...credentialHeaders(location) };
  }

  /**
   * @param countBytes called with the size of each part of the reply, and after an error with the negative sum. If it
   * throws RpcRefusal, the rest is not read
   * @throws UpstreamError if no usable reply arrives in time, also while the request waits for a free connection
   */
  async send(
    body: string,
    timeoutMs: number,
    lane: Lane = 'reads',
    countBytes: (bytes: number) => void = () => {},
  ): Promise<UpstreamReply> {
    if (this.isForeign && lane !== 'probes') throw new UpstreamError('unsent', 'the node serves another chain');
    const signal = AbortSignal.timeout(timeoutMs);
    let bytes = 0;
    const count = (more: number) => {
      countBytes(more);
      bytes += more;
    };
    const request = { method: 'POST', path: this.#path, headers: this.#headers, body, signal } as const;
    try {
      const sent = this.#pools[lane].request(request);
      sent.catch(() => undefined); // undici ends an aborted request only after it gets a connection
      const reply = await Promise.race([sent, rejection(signal)]);
      const tooLarge = () => new UpstreamError('broken', `the reply exceeds ${maxReplyBytes} bytes`);
      const read = await readBounded(counted(reply.body, count), maxReplyBytes, tooLarge);
      if (reply.statusCode >= 500 || reply.statusCode === 429)
        throw new UpstreamError('status', `status ${reply.statusCode}`);
      return { status: reply.statusCode, body: read };
    } catch (error) {
      countBytes(-bytes);
      if (error instanceof RpcRefusal) throw error;
      if (error instanceof UpstreamError) throw this.#failed(error);
      if (signal.aborted) throw this.#failed(new UpstreamError('timeout', `no answer within ${timeoutMs} ms`));
      const { code, message } = error as { code?: string; message?: string };
      const reason = unsentCodes.has(code ?? '') ? 'unsent' : 'broken';
      throw this.#failed(new UpstreamError(reason, code ?? String(message)));
    }
  }

  /** @throws UpstreamError, or Error with the node's message */
  async call(
    method: string,
    params: readonly unknown[],
    timeoutMs: number,
    lane: Lane = isWrite(method) ? 'writes' : 'reads',
  ): Promise<unknown> {
    const { body } = await this.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), timeoutMs, lane);
    const reply = parseReply(body);
    if (!reply) throw this.#failed(new UpstreamError('invalid', 'the reply is not valid JSON-RPC'));
    if (reply.error) throw new Error(String(reply.error.message));
    return reply.result;
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.#pools).map((pool) => pool.destroy()));
  }

  #failed(error: UpstreamError): UpstreamError {
    this.lastFault = error.message;
    return error;
  }
}

async function* counted(body: AsyncIterable<Uint8Array>, countBytes: (bytes: number) => void) {
  for await (const chunk of body) {
    countBytes(chunk.length);
    yield chunk;
  }
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
}

function parseReply(body: Buffer): { result?: unknown; error?: { message?: unknown } } | undefined {
  try {
    const reply = JSON.parse(body.toString()) as {
      id?: unknown;
      result?: unknown;
      error?: { message?: unknown };
    } | null;
    const isOwn = reply?.id === 1 || (reply?.id === null && !!reply.error);
    return isOwn && (reply.error || reply.result !== undefined) ? reply : undefined;
  } catch {
    return undefined;
  }
}
