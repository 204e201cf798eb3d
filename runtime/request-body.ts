/**
 * Bodies of requests, read so that a refusal leaves the connection sound: the next request on it may be somebody
 * else's, where a reverse proxy shares connections.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createGunzip } from 'node:zlib';

/** What is read and dropped of a body that was refused, at most. */
const drainBytes = 1 << 20;
const drainMs = 1_000;

/**
 * The chunks of a body, unpacked where it is compressed by gzip. Leaving the loop early keeps the connection, for
 * drainBody() before the reply. They end with an error where the client is gone.
 */
export function bodyChunks(request: IncomingMessage, isGzip = false): AsyncIterable<Buffer> {
  if (!isGzip) return request.iterator({ destroyOnReturn: false });
  const gunzip = createGunzip();
  if (request.destroyed && !request.readableEnded) gunzip.destroy(new Error('the client is gone'));
  request.once('close', () => {
    if (!request.readableEnded) gunzip.destroy(new Error('the client is gone'));
  });
  return request.pipe(gunzip);
}

/** Whether the body is compressed by gzip; undefined: in a way that is not taken. */
export function isGzipBody({ headers }: IncomingMessage): boolean | undefined {
  const encoding = headers['content-encoding']?.toLowerCase() ?? 'identity';
  return encoding === 'gzip' || (encoding === 'identity' ? false : undefined);
}

/**
 * To be called before a reply to a request whose body may not have been read to its end: reads and drops a bounded rest,
 * and has the connection closed with the reply where more is to come. @source RFC 9112, section 9.6
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
