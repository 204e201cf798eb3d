import { sliceArray, sliceObject } from './json-slices.ts';

export interface RpcCall {
  readonly method: string;
  /** Raw JSON; undefined for a notification. */
  readonly id: string | undefined;
  readonly text: string;
}

export interface RpcRequest {
  readonly text: string;
  readonly isBatch: boolean;
  readonly calls: readonly RpcCall[];
  /** Error replies to the invalid calls of a batch. The other calls are executed. */
  readonly invalid: readonly string[];
}

export class RpcRefusal extends Error {
  override readonly name = 'RpcRefusal';
  readonly status: number;
  readonly code: number;
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

const maxBatch = 100;
/** Maximum fields of a call, which needs four. */
const maxMembers = 16;

/** @param id raw JSON */
export function errorText(id: string | undefined, code: number, message: string): string {
  return `{"jsonrpc":"2.0","id":${id ?? 'null'},"error":{"code":${code},"message":${JSON.stringify(message)}}}`;
}

/** @source JSON-RPC 2.0 @throws RpcRefusal for an invalid request */
export function readRpcRequest(text: string): RpcRequest {
  const value = parse(text);
  if (!Array.isArray(value)) return { text, isBatch: false, calls: [readCall(text.trim(), value)], invalid: [] };
  if (value.length === 0) throw new RpcRefusal(400, -32600, 'a batch must have at least one call');
  if (value.length > maxBatch)
    throw new RpcRefusal(400, -32600, `a batch must have at most ${maxBatch} calls, got ${value.length}`);
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
    throw new RpcRefusal(400, -32700, 'the body is not valid JSON');
  }
}

/**
 * Rejects a call with two methods or ids, because nodes differ in which they use. Some nodes also accept names such as
 * "Method".
 */
function readCall(text: string, value: unknown): RpcCall {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new RpcRefusal(400, -32600, 'a call must be an object with jsonrpc, id, method and params');
  const members = sliceObject(text, maxMembers + 1);
  if (members.length > maxMembers)
    throw new RpcRefusal(400, -32600, `a call must have at most ${maxMembers} fields: jsonrpc, id, method and params`);
  const ids = members.filter(([name]) => name.toLowerCase() === 'id');
  const id = ids[0]?.[1];
  if (ids.length > 1 || (id !== undefined && !isIdText(id)) || ids.some(([name]) => name !== 'id'))
    throw new RpcRefusal(
      400,
      -32600,
      'a call must have at most one id: a string, number or null, at most 256 characters',
    );
  const methods = members.filter(([name]) => name.toLowerCase() === 'method');
  const method = (value as { method?: unknown }).method;
  if (methods.length !== 1 || typeof method !== 'string')
    throw new RpcRefusal(400, -32600, 'a call must have exactly one method, a string', id);
  // nodes reply to such a call, although it looks like a notification
  if (id === undefined && (value as { jsonrpc?: unknown }).jsonrpc !== '2.0')
    throw new RpcRefusal(400, -32600, 'a call without an id must have "jsonrpc":"2.0"');
  return { method, id, text };
}

/** Maximum id length, because error replies repeat the id. */
const maxIdLength = 256;

function isIdText(text: string): boolean {
  if (text.length > maxIdLength) return false;
  return text.startsWith('"') || text === 'null' || /^-?\d/.test(text);
}
