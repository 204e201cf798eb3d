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
  if (isBatch && Array.isArray(reply)) checkBatch(reply, asked);
  else checkSingle(reply, isBatch ? undefined : asked[0]);
}

/** @param id that was asked; undefined of a batch and of a notification */
function checkSingle(reply: unknown, id: string | undefined): void {
  // a node may refuse a whole batch with one error
  const isRefusal = isReply(reply) && 'error' in reply && reply.id === null;
  const isAnswer = isReply(reply) && id !== undefined && isSameId(reply.id, id);
  if (!isRefusal && !isAnswer) throw invalid('it answers another request');
}

function checkBatch(replies: readonly unknown[], asked: readonly string[]): void {
  const open = [...asked];
  for (const item of replies) {
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
