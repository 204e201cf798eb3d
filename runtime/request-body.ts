/**
 * Reads request bodies. A rejected request must not break its connection: a reverse proxy may share it between clients.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createGunzip } from 'node:zlib';

const drainBytes = 1 << 20;
const drainMs = 1_000;

/**
 * Returns the chunks of a body, decompressed if `isGzip`. Throws during iteration if the client disconnects. After a
 * partial read, call drainBody() before the reply.
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

/** Returns undefined for an unsupported encoding. */
export function isGzipBody({ headers }: IncomingMessage): boolean | undefined {
  const encoding = headers['content-encoding']?.toLowerCase() ?? 'identity';
  return encoding === 'gzip' || (encoding === 'identity' ? false : undefined);
}

/**
 * Reads and drops the rest of a body. If it is too long, the reply closes the connection. Call this before a reply if
 * the body may be partly unread. @source RFC 9112, section 9.6
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
