/** Whether what a node sent is the answer to what it was asked: one JSON document with the ids of the request. @source JSON-RPC 2.0, 5 and 6 */
import type { RpcCall } from './rpc-request.ts';
import { UpstreamError } from './upstream.ts';

/**
 * @param calls that were sent; notifications among them get no reply
 * @throws UpstreamError invalid for HTML, cut or empty text, a second document, and ids that were not asked. Says nothing of
 *   what the node wrote
 */
export function checkReply(body: Buffer | string, calls: readonly RpcCall[], isBatch: boolean): void {
  const asked = calls.flatMap(({ id }) => (id === undefined ? [] : [id]));
  const text = body.toString();
  if (asked.length === 0 && text.trim() === '') return;
  const reply = parse(text);
  if (!isBatch || !Array.isArray(reply)) {
    // a node may refuse a whole batch with one error
    const isRefusal = isReply(reply) && 'error' in reply && reply.id === null;
    if (isReply(reply) && (isRefusal || (!isBatch && asked.length === 1 && isSameId(reply.id, asked[0]!)))) return;
    throw invalid('it answers another request');
  }
  const open = [...asked];
  for (const item of reply) {
    if (!isReply(item)) throw invalid('a part of it is no reply');
    const at = open.findIndex((id) => isSameId(item.id, id));
    if (at < 0) throw invalid('it answers another request');
    open.splice(at, 1);
  }
  if (open.length > 0) throw invalid('replies are missing');
}

const invalid = (what: string) => new UpstreamError('invalid', `the node's answer can't be used: ${what}`);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('it is not one JSON document');
  }
}

/** Either a result or an error, never both. */
function isReply(value: unknown): value is { id?: unknown } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return 'result' in value !== ('error' in value && (value as { error: unknown }).error !== null);
}

/** @param asked the id as the client wrote it */
const isSameId = (id: unknown, asked: string) => id === JSON.parse(asked);
