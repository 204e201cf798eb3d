import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readBounded } from '#runtime/read-bounded.ts';
import { withDeadline } from '#runtime/signals.ts';
import { splitCredentials } from '#runtime/url-credentials.ts';
import type { DocumentLimits } from './source-settings.ts';

export interface FetchedDocument {
  readonly bytes: Buffer;
  readonly sha256: string;
  /** File name or URL, without credentials and query. */
  readonly source: string;
}

/**
 * Reads a document from a file or over HTTPS.
 * @throws Error, without credentials in its message
 */
export async function fetchDocument(
  location: string,
  limits: DocumentLimits,
  signal?: AbortSignal,
): Promise<FetchedDocument> {
  const bytes = /^https?:/i.test(location)
    ? await download(new URL(location), limits, signal)
    : await readLocal(location, limits);
  return { bytes, sha256: createHash('sha256').update(bytes).digest('hex'), source: publicName(location) };
}

/** @throws Error when the document isn't UTF-8 */
export function toText({ bytes }: FetchedDocument): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Error('the document is not valid UTF-8');
  }
}

export function publicName(location: string): string {
  if (!/^https?:/i.test(location)) return `file ${basename(location)}`;
  const { origin, pathname } = new URL(location);
  return origin + pathname;
}

async function readLocal(location: string, { maxBytes }: DocumentLimits): Promise<Buffer> {
  const path = location.startsWith('file:') ? fileURLToPath(location) : location;
  const { size } = await stat(path).catch(() => {
    throw new Error(`the file ${basename(path)} can't be read`);
  });
  if (size > maxBytes) throw new Error(`the file ${basename(path)} has more than ${maxBytes} bytes`);
  return readFile(path);
}

/** Allows plain HTTP only from this machine, and no redirects, which could lead to another host. */
async function download(
  url: URL,
  { maxBytes, timeoutMs }: DocumentLimits,
  signal: AbortSignal | undefined,
): Promise<Buffer> {
  const isLocal = ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
  if (url.protocol !== 'https:' && !isLocal)
    throw new Error(`${url.origin}: use https://, because plain HTTP is accepted only from this machine`);
  const { url: plain, headers } = splitCredentials(url);
  try {
    return await withDeadline(timeoutMs, [signal], async (limited) => {
      const reply = await fetch(plain, { redirect: 'error', signal: limited, headers });
      if (reply.status !== 200 || !reply.body)
        throw new Error(`the server replied with status ${reply.status}, expected 200`);
      if (Number(reply.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes);
      return await readBounded(reply.body, maxBytes, () => tooLarge(maxBytes));
    });
  } catch (error) {
    const { message, cause } = error as Error;
    throw new Error(`${publicName(url.href)}: ${cause instanceof Error ? cause.message : message}`);
  }
}

const tooLarge = (maxBytes: number) =>
  new Error(`the document has more than ${maxBytes} bytes, the limit in SOURCES_MAX_BYTES`);
