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
  /** Error replies to entries of a batch that are no calls: each gets its own, the others are carried out. */
  readonly invalid: readonly string[];
}

/** A request that is not passed on. */
export class RpcRefusal extends Error {
  override readonly name = 'RpcRefusal';
  readonly status: number;
  readonly code: number;
  /** Id of the call, as it was written. */
  readonly id: string | undefined;
  constructor(status: number, code: number, message: string, id: string | undefined = undefined) {
    super(message);
    this.status = status;
    this.code = code;
    this.id = id;
  }

  get body(): string {
    return errorText(this.id, this.code, this.message);
  }
}

/** Calls of one batch. */
const maxBatch = 100;

/** An error reply. @param id as it was written */
export function errorText(id: string | undefined, code: number, message: string): string {
  return `{"jsonrpc":"2.0","id":${id ?? 'null'},"error":{"code":${code},"message":${JSON.stringify(message)}}}`;
}

/** @throws RpcRefusal where the body is no request */
export function readRpcRequest(text: string): RpcRequest {
  const value = parse(text);
  if (!Array.isArray(value)) return { text, isBatch: false, calls: [readCall(text.trim(), value)], invalid: [] };
  if (value.length === 0) throw new RpcRefusal(400, -32600, 'the batch is empty');
  if (value.length > maxBatch)
    throw new RpcRefusal(400, -32600, `the batch has ${value.length} calls, at most ${maxBatch} are taken at once`);
  const calls: RpcCall[] = [];
  const invalid: string[] = [];
  for (const [i, callText] of sliceArray(text).entries()) {
    try {
      calls.push(readCall(callText, value[i]));
    } catch (error) {
      if (!(error instanceof RpcRefusal)) throw error;
      invalid.push(error.body);
    }
  }
  return { text, isBatch: true, calls, invalid };
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
  const ids = members.filter(([name]) => name === 'id');
  const id = ids[0]?.[1];
  if (ids.length > 1 || (id !== undefined && !isIdText(id)))
    throw new RpcRefusal(400, -32600, 'the id of a call is a text, a number or null, said once');
  const methods = members.filter(([name]) => name.toLowerCase() === 'method');
  const method = (value as { method?: unknown }).method;
  if (methods.length !== 1 || typeof method !== 'string')
    throw new RpcRefusal(400, -32600, 'a call names its method once, as text', id);
  return { method, id, text };
}

/** @source JSON-RPC 2.0, 4: String, Number or Null */
function isIdText(text: string): boolean {
  return text.startsWith('"') || text === 'null' || /^-?\d/.test(text);
}
