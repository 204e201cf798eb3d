/**
 * A file gets its final name after its rows match the count and digest in the HTTP trailers. Arrow files are not
 * checked.
 */
import { createWriteStream } from 'node:fs';
import { rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pRetry, { AbortError } from 'p-retry';
import { request } from 'undici';
import { exportFormats } from '#api/read/export/kinds.ts';
import { waitRetryAfter } from '#runtime/retry-after.ts';
import { RowChecker } from './check-rows.ts';
import { digestOfParquet } from './file-digest.ts';
import type { ExportedPart, ExportSelection } from './manifest.ts';

/** Longest accepted Retry-After, ms. */
const maxWaitMs = 120_000;
const retries = { retries: 6, minTimeout: 300, maxTimeout: 10_000 };

export interface PartWindow {
  readonly fromBlock: number;
  readonly toBlock: number;
}

/**
 * Retries after errors, and overwrites partial files.
 * @throws Error if all retries fail or the API rejects the request
 */
export async function downloadPart(
  directory: string,
  selection: ExportSelection,
  window: PartWindow,
  signal: AbortSignal,
): Promise<ExportedPart> {
  const file = `${selection.kind}-${window.fromBlock}-${window.toBlock}.${exportFormats[selection.format].ending}`;
  const path = join(directory, file);
  const proof = await pRetry(() => fetchPart(`${path}.part`, selection, window, signal), { ...retries, signal });
  await rename(`${path}.part`, path);
  return { file, ...window, ...proof, bytes: (await stat(path)).size };
}

/**
 * Returns whether the service still certifies the same rows. They change by a repair, a reorg, or when missing blocks
 * are stored. @throws Error if all retries fail or the API rejects the request
 */
export async function isCurrent(selection: ExportSelection, part: ExportedPart, signal: AbortSignal): Promise<boolean> {
  const { fromBlock, toBlock, rows, digest, gaps } = part;
  const url = exportUrl(selection, { fromBlock, toBlock });
  url.pathname += '/certificate';
  url.searchParams.delete('format');
  const read = async () => {
    const reply = await request(url, { signal, headersTimeout: 120_000 });
    await assertOk(reply, signal);
    return (await reply.body.json()) as Pick<ExportedPart, 'rows' | 'digest' | 'gaps' | 'toBlock'>;
  };
  const now = await pRetry(read, { ...retries, signal });
  const isSame = now.toBlock === toBlock && now.rows === rows && now.digest === digest;
  return isSame && JSON.stringify(now.gaps) === JSON.stringify(gaps);
}

async function assertOk(
  { statusCode, headers, body }: Awaited<ReturnType<typeof request>>,
  signal: AbortSignal,
): Promise<void> {
  if (statusCode === 200) return;
  const text = `${statusCode}: ${(await body.text()).slice(0, 500)}`;
  if (statusCode === 429) await waitRetryAfter(headers['retry-after'], maxWaitMs, signal);
  throw statusCode === 429 || statusCode >= 500 ? new Error(text) : new AbortError(text);
}

async function fetchPart(path: string, selection: ExportSelection, window: PartWindow, signal: AbortSignal) {
  const { kind, format } = selection;
  const reply = await request(exportUrl(selection, window), { signal, headersTimeout: 120_000, bodyTimeout: 120_000 });
  await assertOk(reply, signal);
  // since the export began, a node may have contradicted blocks, or an operator may have removed them
  const reached = String(reply.headers['x-export-window']);
  if (reached !== `${window.fromBlock}-${window.toBlock}`) {
    await reply.body.dump();
    throw new Error(`the service has blocks ${reached} of the requested ${window.fromBlock}-${window.toBlock}`);
  }
  const checker = format === 'ndjson' || format === 'csv' ? new RowChecker(kind, format) : undefined;
  const target = createWriteStream(path, { flush: true }); // flush: after a crash, the manifest must not list rows that are lost
  const body: Readable = reply.body;
  await (checker ? pipeline(body, checker, target, { signal }) : pipeline(body, target, { signal }));
  const rows = Number(reply.trailers['x-export-rows']);
  const digest = String(reply.trailers['x-export-digest']);
  if (!Number.isSafeInteger(rows)) throw new Error('the reply has no X-Export-Rows trailer: the export is incomplete');
  const found = format === 'parquet' ? await digestOfParquet(path, kind) : checker?.digest;
  found?.assertEquals(rows, digest);
  const signature = reply.trailers['x-export-signature'];
  return {
    rows,
    digest,
    ...(signature === undefined ? {} : { signature: String(signature) }),
    gaps: JSON.parse(String(reply.headers['x-export-gaps'])) as ExportedPart['gaps'],
  };
}

function exportUrl({ source, kind, format, address, token }: ExportSelection, window: PartWindow): URL {
  const url = new URL(`/api/v1/export/${kind}`, source);
  const query = { format, address, token, ...window };
  for (const [name, value] of Object.entries(query)) if (value !== null) url.searchParams.set(name, String(value));
  return url;
}
