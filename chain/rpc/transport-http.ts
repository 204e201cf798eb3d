import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Pool } from 'undici';
import { withDeadline } from '#runtime/signals.ts';
import { credentialHeaders } from '#runtime/url-credentials.ts';
import { TransportError } from '../errors.ts';

const maxReplyBytes = 512 << 20;
const maxErrorBytes = 1 << 20;
const unzip = promisify(gunzip);

export interface Transport {
  /** Posts a JSON-RPC request. @returns the reply, UTF-8 @throws TransportError if the request fails */
  post(body: string, signal?: AbortSignal): Promise<Uint8Array>;
  close(): Promise<void>;
}

export class HttpTransport implements Transport {
  readonly #pool: Pool;
  readonly #path: string;
  readonly #headers: Record<string, string>;
  readonly timeoutMs: number;

  constructor(url: string, timeoutMs: number, connections: number) {
    this.timeoutMs = timeoutMs;

    const location = new URL(url);
    const { origin, pathname, search } = location;
    this.#pool = new Pool(origin, {
      connections,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      maxResponseSize: maxReplyBytes,
    });
    this.#path = pathname + search;
    this.#headers = { 'content-type': 'application/json', ...credentialHeaders(location) };
  }

  post(body: string, signal?: AbortSignal): Promise<Uint8Array> {
    return withDeadline(this.timeoutMs, [signal], (limited) => this.#exchange(body, limited));
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }

  async #exchange(body: string, signal: AbortSignal): Promise<Uint8Array> {
    try {
      const reply = await this.#pool.request({
        path: this.#path,
        method: 'POST',
        headers: this.#headers,
        body,
        signal,
      });
      const zipped = reply.headers['content-encoding'] === 'gzip';
      const received = new Uint8Array(await reply.body.arrayBuffer());
      const bytes = zipped ? await unzip(received, { maxOutputLength: maxReplyBytes }) : received;
      if (reply.statusCode >= 200 && reply.statusCode < 300) return bytes;
      if (isClientError(reply.statusCode) && hasRpcError(bytes)) return bytes;
      const retryAfter = Number(reply.headers['retry-after']);
      const throttled = reply.statusCode === 429;
      throw new TransportError(
        throttled ? 'throttled' : 'http_status',
        // the text of a gateway may contain the URL's path, and so the API key
        `the node answered with HTTP status ${reply.statusCode}`,
        Number.isFinite(retryAfter) ? Math.min(retryAfter * 1000, 60_000) : undefined,
      );
    } catch (error) {
      throw asTransportError(error);
    }
  }
}

const isClientError = (status: number) => status >= 400 && status < 500 && status !== 429;

/** Returns whether a reply is a JSON-RPC error, which some gateways send with an HTTP error status. */
function hasRpcError(bytes: Uint8Array): boolean {
  if (bytes.length > maxErrorBytes) return false;
  try {
    const reply: unknown = JSON.parse(Buffer.from(bytes).toString());
    const items = Array.isArray(reply) ? reply : [reply];
    return items.length > 0 && items.every((item) => typeof item?.error?.code === 'number');
  } catch {
    return false;
  }
}

function asTransportError(error: unknown): TransportError {
  if (error instanceof TransportError) return error;
  const { name = '', code = '', message = String(error) } = error as { name?: string; code?: string; message?: string };
  if (name === 'TimeoutError' || /TIMEOUT/.test(code)) return new TransportError('timeout', message);
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new TransportError('refused', message);
  if (code.startsWith('Z_') || code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
    return new TransportError('bad_body', message);
  return new TransportError('reset', message);
}
