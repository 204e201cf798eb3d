/** Bodies of requests: into memory for SQL, into a spool file for rows, so that bytes stay bytes. */
import { createWriteStream } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { EngineException } from './exception.ts';

function decoded(request: IncomingMessage): Readable {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding === 'identity') return request;
  if (encoding === 'gzip') {
    const gunzip = createGunzip();
    request.on('error', (error) => gunzip.destroy(error));
    request.on('aborted', () => gunzip.destroy(new Error('request aborted')));
    return request.pipe(gunzip);
  }
  throw EngineException.of(36, `Content-Encoding ${encoding} is not available: gzip is`);
}

/** Reads the whole body; more than `maxBytes` is refused. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of decoded(request)) {
    bytes += (chunk as Buffer).length;
    if (bytes > maxBytes) throw EngineException.of(36, `Query text is larger than ${maxBytes} bytes`);
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

/** A file that holds rows for one insert. */
export class SpoolFile {
  constructor(readonly path: string) {}

  /** Writes what came inline after the statement, then the body; returns the bytes written. */
  async fill(inline: Buffer, request: IncomingMessage | undefined): Promise<number> {
    await writeFile(this.path, inline);
    if (!request) return inline.length;
    const file = createWriteStream(this.path, { flags: 'a', highWaterMark: 1 << 20 });
    await pipeline(decoded(request), file);
    return inline.length + file.bytesWritten;
  }

  async remove(): Promise<void> {
    await rm(this.path, { force: true });
  }
}
