/** A JSON-RPC request as a client sent it: which methods it calls, with everything else untouched. @source JSON-RPC 2.0 */
import { sliceArray, sliceObject } from './json-slices.ts';

export interface RpcCall {
  readonly method: string;
  /** The id as it was written; undefined: a notification. */
  readonly id: string | undefined;
  /** The call as it was written. */
  readonly text: string;
}

export interface RpcRequest {
  readonly text: string;
  readonly isBatch: boolean;
  readonly calls: readonly RpcCall[];
}

/** A request that is not passed on. */
export class RpcRefusal extends Error {
  override readonly name = 'RpcRefusal';
  constructor(
    readonly status: number,
    readonly code: number,
    message: string,
    /** Id of the call, as it was written. */
    readonly id: string | undefined = undefined,
  ) {
    super(message);
  }

  get body(): string {
    return errorText(this.id, this.code, this.message);
  }
}

/** Calls of one batch. */
export const maxBatch = 100;

/** An error reply. @param id as it was written */
export function errorText(id: string | undefined, code: number, message: string): string {
  return `{"jsonrpc":"2.0","id":${id ?? 'null'},"error":{"code":${code},"message":${JSON.stringify(message)}}}`;
}

/** @throws RpcRefusal where the body is no request */
export function readRpcRequest(text: string): RpcRequest {
  const value = parse(text);
  if (!Array.isArray(value)) return { text, isBatch: false, calls: [readCall(text.trim(), value)] };
  if (value.length === 0) throw new RpcRefusal(400, -32600, 'the batch is empty');
  if (value.length > maxBatch)
    throw new RpcRefusal(400, -32600, `the batch has ${value.length} calls, at most ${maxBatch} are taken at once`);
  const texts = sliceArray(text);
  return { text, isBatch: true, calls: value.map((item, i) => readCall(texts[i]!, item)) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RpcRefusal(400, -32700, 'the body is no JSON');
  }
}

/** One method, said once: nodes disagree about which of two counts, and some take its name in any case. */
function readCall(text: string, value: unknown): RpcCall {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new RpcRefusal(400, -32600, 'a call is an object with jsonrpc, id, method and params');
  const members = sliceObject(text);
  const id = members.find(([name]) => name === 'id')?.[1];
  const methods = members.filter(([name]) => name.toLowerCase() === 'method');
  const method = (value as { method?: unknown }).method;
  if (methods.length !== 1 || typeof method !== 'string')
    throw new RpcRefusal(400, -32600, 'a call names its method once, as text', id);
  return { method, id, text };
}
