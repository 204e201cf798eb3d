/**
 * Reads request bodies so that a rejected request doesn't break its connection, on which a reverse proxy may send
 * requests of other clients.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createGunzip } from 'node:zlib';

const drainBytes = 1 << 20;
const drainMs = 1_000;

/**
 * Returns the chunks of a body, decompressed if `isGzip`. The connection stays open if the caller stops reading early:
 * call drainBody() before the reply. Iteration throws if the client disconnects.
 */
export function bodyChunks(request: IncomingMessage, isGzip = false): AsyncIterable<Buffer> {
  if (!isGzip) return request.iterator({ destroyOnReturn: false });
  const gunzip = createGunzip();
  if (request.destroyed && !request.readableEnded) gunzip.destroy(new Error('the client disconnected'));
  request.once('close', () => {
    if (!request.readableEnded) gunzip.destroy(new Error('the client disconnected'));
  });
  return request.pipe(gunzip);
}

/** Returns whether the body is compressed by gzip, or undefined for an unsupported encoding. */
export function isGzipBody({ headers }: IncomingMessage): boolean | undefined {
  const encoding = headers['content-encoding']?.toLowerCase() ?? 'identity';
  return encoding === 'gzip' || (encoding === 'identity' ? false : undefined);
}

/**
 * Reads and drops the rest of a body, up to a limit. If the body is longer, the reply closes the connection. Call this
 * function before a reply to a request whose body may be partly unread. @source RFC 9112, section 9.6
 */
export async function drainBody(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const hasBody = request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length']) > 0;
  if (!hasBody || request.readableEnded || request.destroyed || response.headersSent) return;
  request.unpipe();
  let bytes = 0;
  const isRead = await new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), drainMs).unref();
    const count = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > drainBytes) resolve(false);
    };
    request.on('data', count);
    for (const event of ['end', 'close', 'error'])
      request.once(event, () => {
        clearTimeout(timer);
        resolve(event === 'end');
      });
    request.resume();
  });
  if (!isRead && !response.headersSent) response.setHeader('Connection', 'close');
}
