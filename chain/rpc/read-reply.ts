/** Parses the reply to JSON-RPC requests. @source https://www.jsonrpc.org/specification */
import { TransportError } from '../errors.ts';

/** Results in request order, or the first failure. Can be sent between threads. */
export type Reading<T> = { readonly results: T } | { readonly failure: ReplyFailure };

export type ReplyFailure =
  | { readonly kind: 'not_json'; readonly text: string }
  | { readonly kind: 'not_array' }
  | { readonly kind: 'missing' | 'empty'; readonly request: number }
  | { readonly kind: 'error'; readonly request: number; readonly error: ReplyError };

export interface ReplyError {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly data?: unknown;
}

interface Reply {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: ReplyError | null;
}

/** @param ids ids of the requests, in order */
export type ReadReply<T> = (body: Uint8Array, ids: readonly number[]) => Reading<T> | Promise<Reading<T>>;

export function readReply(body: Uint8Array, ids: readonly number[]): Reading<unknown[]> {
  let text = '';
  let reply: unknown;
  try {
    text = new TextDecoder().decode(body); // throws above the maximum string length
    reply = JSON.parse(text);
  } catch {
    return { failure: { kind: 'not_json', text: text.slice(0, 80) } };
  }
  return matchReplies(reply, ids);
}

function matchReplies(reply: unknown, ids: readonly number[]): Reading<unknown[]> {
  if (!Array.isArray(reply) && ids.length > 1) {
    // some nodes reject a batch with one error object
    const error = (reply as Reply | null)?.error;
    return { failure: error ? { kind: 'error', request: 0, error } : { kind: 'not_array' } };
  }
  const byId = new Map<unknown, Reply>();
  for (const item of (Array.isArray(reply) ? reply : [reply]) as (Reply | null)[])
    if (item && typeof item === 'object') byId.set(item.id, item);
  const items = ids.map((id) => byId.get(id));
  for (const [request, item] of items.entries()) {
    const failure = findFailure(item, request);
    if (failure) return { failure };
  }
  return { results: items.map((item) => item?.result) };
}

function findFailure(item: Reply | undefined, request: number): ReplyFailure | undefined {
  if (!item) return { kind: 'missing', request };
  if (item.error !== undefined && item.error !== null) return { kind: 'error', request, error: item.error };
  return item.result === undefined ? { kind: 'empty', request } : undefined;
}

/** Returns the error for an invalid reply. @param method RPC method of the failed request */
export function toFailureError(failure: Exclude<ReplyFailure, { kind: 'error' }>, method: string): TransportError {
  switch (failure.kind) {
    case 'not_json':
      return new TransportError('bad_body', `the reply is not JSON: ${failure.text}`);
    case 'not_array':
      return new TransportError('bad_body', 'the reply to a batch is not an array');
    case 'missing':
      return new TransportError('partial_batch', `the node returned no reply to ${method}`);
    case 'empty':
      return new TransportError('bad_body', `the reply to ${method} has neither result nor error`);
  }
}
