import type { RpcCall } from './rpc-request.ts';
import { UpstreamError } from './upstream.ts';

/**
 * Checks that a node's reply answers the request. @source JSON-RPC 2.0, 5 and 6
 * @throws UpstreamError `invalid` for HTML, truncated or empty text, several documents, or other ids. Its message
 * contains no text of the node.
 */
export function checkReply(body: Buffer | string, calls: readonly RpcCall[], isBatch: boolean): void {
  const asked = calls.flatMap(({ id }) => (id === undefined ? [] : [id]));
  const text = body.toString();
  if (asked.length === 0 && text.trim() === '') return;
  const reply = parse(text);
  if (isBatch && Array.isArray(reply)) checkBatch(reply, asked);
  else checkSingle(reply, isBatch ? undefined : asked[0]);
}

function checkSingle(reply: unknown, id: string | undefined): void {
  // a node may reject an entire batch with one error
  const isRefusal = isReply(reply) && 'error' in reply && reply.id === null;
  const isAnswer = isReply(reply) && id !== undefined && isSameId(reply.id, id);
  if (!isRefusal && !isAnswer) throw invalid('it has the id of another request');
}

function checkBatch(replies: readonly unknown[], asked: readonly string[]): void {
  const open = [...asked];
  for (const item of replies) {
    if (!isReply(item)) throw invalid('an item of the batch is not a JSON-RPC reply');
    const at = open.findIndex((id) => isSameId(item.id, id));
    if (at < 0) throw invalid('an id belongs to another request');
    open.splice(at, 1);
  }
  if (open.length > 0) throw invalid('replies are missing');
}

const invalid = (what: string) => new UpstreamError('invalid', `invalid reply of the node: ${what}`);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('it is not one JSON document');
  }
}

function isReply(value: unknown): value is { id?: unknown } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return 'result' in value !== ('error' in value && (value as { error: unknown }).error !== null);
}

const isSameId = (id: unknown, asked: string) => id === JSON.parse(asked);
