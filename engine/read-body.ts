import { createWriteStream } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { readBounded } from '#runtime/read-bounded.ts';
import { bodyChunks, isGzipBody } from '#runtime/request-body.ts';
import { EngineException } from './exception.ts';

function decoded(request: IncomingMessage): AsyncIterable<Buffer> {
  const isGzip = isGzipBody(request);
  if (isGzip === undefined) throw EngineException.of(36, 'Content-Encoding must be gzip or identity');
  return bodyChunks(request, isGzip);
}

/** Reads and decompresses a body. @throws EngineException 36 above `maxBytes` */
export const readBody = (request: IncomingMessage, maxBytes: number): Promise<Buffer> =>
  readBounded(decoded(request), maxBytes, () =>
    EngineException.of(36, `Query text is larger than the limit of ${maxBytes} bytes`),
  );

/** Creates the parent folder of a temporary file again: systems remove folders of users that log out (RemoveIPC). */
export async function makeSpoolFolder(path: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  } catch (error) {
    // a confined process may not create it, so the parent process does before it restarts this one
    console.error(`embedded ClickHouse: ${dirname(path)} is gone and can't be made (${error}); starting again`);
    process.kill(process.pid, 'SIGKILL');
  }
}

export class SpoolFile {
  readonly path: string;
  constructor(path: string) {
    this.path = path;
  }

  async fill(inline: Buffer, request: IncomingMessage | undefined): Promise<number> {
    await makeSpoolFolder(this.path);
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
