/** JSON-RPC client of the local dev node, without retries. */
import { Pool } from 'undici';

export interface DevCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

export class DevRpc {
  readonly #pool: Pool;
  readonly url: string;

  constructor(url: string) {
    this.url = url;

    this.#pool = new Pool(new URL(url).origin, { connections: 4 });
  }

  async call<T>(method: string, params: readonly unknown[]): Promise<T> {
    const [result] = await this.batch<T>([{ method, params }]);
    return result as T;
  }

  /** @returns results in order @throws Error for the first call that failed */
  async batch<T>(calls: readonly DevCall[]): Promise<T[]> {
    if (calls.length === 0) return [];
    const body = JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call })));
    const headers = { 'content-type': 'application/json' };
    const reply = await this.#pool.request({ path: '/', method: 'POST', headers, body });
    const items = (await reply.body.json()) as { id: number; result?: T; error?: { message: string } }[];
    const results: T[] = [];
    for (const item of items) {
      if (item.error) throw new Error(`${calls[item.id]?.method}: ${item.error.message}`);
      results[item.id] = item.result as T;
    }
    return results;
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }
}
