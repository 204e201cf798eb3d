/** Requests to the service: what passes is tried again, what does not is told. */
import pRetry, { AbortError } from 'p-retry';

/** The service refused: the same request will be refused again. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;
  readonly code: string;
  readonly details: Record<string, unknown>;
  constructor(status: number, code: string, message: string, details: Record<string, unknown> = {}) {
    super(`${code}: ${message}`);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

/** The node answered with a JSON-RPC error. */
export class RpcRefused extends Error {
  override readonly name = 'RpcRefused';
  readonly code: number;
  readonly nodeMessage: string;
  constructor(code: number, nodeMessage: string) {
    super(`${nodeMessage} (${code})`);
    this.code = code;
    this.nodeMessage = nodeMessage;
  }
}

const timeoutMs = 20_000;
const retries = { retries: 5, minTimeout: 100, maxTimeout: 2_000, randomize: true };

/** JSON of endpoints below `{origin}/api/v1`. */
export class ApiClient {
  readonly origin: string;
  constructor(origin: string) {
    this.origin = origin;
  }

  /** @throws Refused; the last fault where nothing answered */
  // biome-ignore lint/suspicious/noExplicitAny: replies are read field by field
  get(path: string): Promise<any> {
    return this.#ask(path, {});
  }

  /** The same; repeating it must be harmless. */
  // biome-ignore lint/suspicious/noExplicitAny: replies are read field by field
  post(path: string, body: unknown): Promise<any> {
    return this.#ask(path, { method: 'POST', body: JSON.stringify(body) });
  }

  #ask(path: string, init: RequestInit): Promise<unknown> {
    return pRetry(async () => {
      const reply = await fetch(`${this.origin}/api/v1${path}`, { ...init, signal: AbortSignal.timeout(timeoutMs) });
      const text = await reply.text();
      if (reply.ok) return text === '' ? undefined : JSON.parse(text);
      if (reply.status >= 500 || reply.status === 429) throw new Error(`status ${reply.status}`);
      const problem = JSON.parse(text) as { code: string; detail: string; details?: Record<string, unknown> };
      throw new AbortError(new Refused(reply.status, problem.code, problem.detail, problem.details));
    }, retries);
  }
}

/** JSON-RPC at one URL. */
export class NodeClient {
  readonly url: string;
  constructor(url: string) {
    this.url = url;
  }

  /** A read; tried again when no answer came. @throws RpcRefused */
  read<T>(method: string, params: readonly unknown[] = []): Promise<T> {
    return pRetry(async () => {
      try {
        return await this.once<T>(method, params);
      } catch (error) {
        throw error instanceof RpcRefused ? new AbortError(error) : error;
      }
    }, retries);
  }

  /** Sent once: whether it arrived is not known when this throws anything but RpcRefused. */
  async once<T>(method: string, params: readonly unknown[]): Promise<T> {
    const reply = await fetch(this.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!reply.ok) throw new Error(`status ${reply.status}`);
    const body = (await reply.json()) as { result?: T; error?: { code: number; message: string } };
    if (body.error) throw new RpcRefused(body.error.code, body.error.message);
    return body.result as T;
  }
}
