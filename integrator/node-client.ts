import pRetry, { AbortError } from 'p-retry';
import { splitCredentials } from '#runtime/url-credentials.ts';

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

export class NodeClient {
  readonly url: string;
  constructor(url: string) {
    this.url = url;
  }

  /** Retries all errors except RpcRefused. @throws RpcRefused */
  read<T>(method: string, params: readonly unknown[] = []): Promise<T> {
    return pRetry(async () => {
      try {
        return await this.once<T>(method, params);
      } catch (error) {
        throw error instanceof RpcRefused ? new AbortError(error) : error;
      }
    }, retries);
  }

  /** Reads a number, as read(). @throws RpcRefused; Error if the reply is no number */
  async readQuantity(method: string, params: readonly unknown[] = []): Promise<bigint> {
    const value: unknown = await this.read(method, params);
    if (typeof value !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(value))
      throw new Error(`${method} returned ${(JSON.stringify(value) ?? 'nothing').slice(0, 80)}, expected a hex number`);
    return BigInt(value);
  }

  /** Sends a call once. After any error except RpcRefused, the node may have executed it. */
  async once<T>(method: string, params: readonly unknown[]): Promise<T> {
    const { url, headers } = splitCredentials(this.url);
    const reply = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!reply.ok) throw new Error(`the node answered with HTTP status ${reply.status}`);
    const body = (await reply.json()) as { result?: T; error?: { code: number; message: string } };
    if (body.error) throw new RpcRefused(body.error.code, body.error.message);
    if (body.result === undefined) throw new Error('the node sent neither a result nor an error');
    return body.result;
  }
}
