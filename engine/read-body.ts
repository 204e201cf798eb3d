/** Bodies of requests: into memory for SQL, into a spool file for rows, so that bytes stay bytes. */
import { createWriteStream } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { bodyChunks, isGzipBody } from '#runtime/request-body.ts';
import { EngineException } from './exception.ts';

function decoded(request: IncomingMessage): AsyncIterable<Buffer> {
  const isGzip = isGzipBody(request);
  if (isGzip === undefined) throw EngineException.of(36, 'Content-Encoding is available as gzip only');
  return bodyChunks(request, isGzip);
}

/** Reads the whole body; more than `maxBytes` is refused. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of decoded(request)) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw EngineException.of(36, `Query text is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A file that holds rows for one insert. */
export class SpoolFile {
  readonly path: string;
  constructor(path: string) {
    this.path = path;
  }

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
