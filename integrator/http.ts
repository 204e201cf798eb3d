/** HTTP clients of the API and of nodes. They retry temporary errors. */
import pRetry, { AbortError } from 'p-retry';

/** Permanent rejection by the API: a retry fails too. */
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

/** JSON-RPC error of a node. */
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

/** Client of the API below `{origin}/api/v1`. */
export class ApiClient {
  readonly origin: string;
  constructor(origin: string) {
    this.origin = origin;
  }

  /** @throws Refused, or the last error if all retries fail */
  // biome-ignore lint/suspicious/noExplicitAny: replies are read field by field
  get(path: string): Promise<any> {
    return this.#ask(path, {});
  }

  /** Sends a POST request that must be idempotent: it is retried. @throws as get() */
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

/** JSON-RPC client of one URL. */
export class NodeClient {
  readonly url: string;
  constructor(url: string) {
    this.url = url;
  }

  /** Calls a read method, with retries if no reply arrives. @throws RpcRefused */
  read<T>(method: string, params: readonly unknown[] = []): Promise<T> {
    return pRetry(async () => {
      try {
        return await this.once<T>(method, params);
      } catch (error) {
        throw error instanceof RpcRefused ? new AbortError(error) : error;
      }
    }, retries);
  }

  /** Sends a call once. On any error except RpcRefused, the node may have executed the call. */
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
