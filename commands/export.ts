import { mkdir } from 'node:fs/promises';
import { request } from 'undici';
import type { ExportFormat, ExportKind } from '#api/read/export/kinds.ts';
import type { Config } from '#runtime/config.ts';
import { lock, unlock } from '#runtime/lock-file.ts';
import { toOrigin } from '#runtime/origins.ts';
import { ProgressLine } from '#runtime/progress-line.ts';
import { shutdownSignal } from '#runtime/shutdown.ts';
import { downloadPart, isCurrent } from './export/download-part.ts';
import { type ExportSelection, type Manifest, openManifest, storePart } from './export/manifest.ts';

export interface ExportArguments {
  readonly out: string;
  readonly url?: string;
  readonly address?: string;
  readonly token?: string;
  readonly fromBlock: number;
  readonly toBlock?: number;
  readonly format: ExportFormat;
  readonly partBlocks: number;
}

/**
 * Starts or continues an export. Sets exit code 1 if blocks are missing.
 * @throws Error if the API rejects a request or doesn't answer
 */
export async function runExport(config: Config, kind: ExportKind, options: ExportArguments): Promise<void> {
  const signal = shutdownSignal();
  const source = options.url ?? toOrigin(config.HOST, config.PORT);
  const finalized = await readFinalized(source, signal);
  const toBlock = Math.min(options.toBlock ?? finalized, finalized);
  await mkdir(options.out, { recursive: true });
  await lock(options.out, signal);
  const { format, fromBlock } = options;
  const selection = { source, kind, format, address: options.address ?? null, token: options.token ?? null, fromBlock };
  try {
    await exportTo(options, selection, { toBlock, finalized }, signal);
  } finally {
    await unlock(options.out);
  }
}

async function exportTo(
  options: ExportArguments,
  selection: ExportSelection,
  { toBlock, finalized }: { readonly toBlock: number; readonly finalized: number },
  signal: AbortSignal,
): Promise<void> {
  const { fromBlock } = options;
  const line = new ProgressLine(`export ${selection.kind}`);
  const stored = await openManifest(options.out, selection);
  assertReaches(options.out, stored, finalized);
  let manifest = stored;
  while (manifest.toBlock < toBlock) {
    const from = manifest.toBlock + 1;
    const window = { fromBlock: from, toBlock: Math.min(from + options.partBlocks - 1, toBlock) };
    const part = await downloadPart(options.out, selection, window, signal);
    manifest = await storePart(options.out, manifest, part);
    const text = `block ${part.toBlock} of ${toBlock}, ${manifest.rows} rows`;
    if (line.isVisible) line.update((part.toBlock - fromBlock + 1) / (toBlock - fromBlock + 1), text);
    else console.log(`${part.file}: ${part.rows} rows, ${part.bytes} bytes; ${text}`);
  }
  line.finish();
  manifest = await refresh(options.out, manifest, stored.parts, signal);
  conclude(manifest);
  if (manifest.toBlock >= (options.toBlock ?? finalized)) return;
  console.log(`blocks ${manifest.toBlock + 1} to ${options.toBlock} are not final yet: run the command again later`);
  process.exitCode = 1;
}

/** @throws Error if the service lacks blocks of stored files, for example during a rewind */
function assertReaches(directory: string, { toBlock, parts }: Manifest, finalized: number): void {
  if (toBlock > finalized && parts.length > 0)
    throw new Error(
      `${directory} has blocks up to ${toBlock}, but the service only up to ${finalized}: run the command again later`,
    );
}

/**
 * Downloads files of earlier runs again if their rows have changed: an operator may have repaired or rewound blocks, or
 * missing blocks were stored since.
 */
async function refresh(
  directory: string,
  stored: Manifest,
  parts: Manifest['parts'],
  signal: AbortSignal,
): Promise<Manifest> {
  let manifest = stored;
  for (const part of parts) {
    if (await isCurrent(stored.selection, part, signal)) continue;
    const { fromBlock, toBlock } = part;
    console.log(`${part.file}: blocks ${fromBlock} to ${toBlock} have changed since, downloads them again`);
    const window = { fromBlock, toBlock };
    manifest = await storePart(directory, manifest, await downloadPart(directory, stored.selection, window, signal));
  }
  return manifest;
}

async function readFinalized(source: string, signal: AbortSignal): Promise<number> {
  const reply = await request(new URL('/api/v1/status', source), { signal });
  const { finalized } = (await reply.body.json().catch(() => ({}))) as { finalized?: unknown };
  if (typeof finalized === 'number' && Number.isSafeInteger(finalized)) return finalized;
  throw new Error(`${source} did not report its finalized block: HTTP status ${reply.statusCode}`);
}

function conclude({ selection, toBlock, rows, digest, parts }: Manifest): void {
  const gaps = parts.flatMap((part) => part.gaps);
  console.log(
    `blocks ${selection.fromBlock} to ${toBlock}: ${rows} rows in ${parts.length} files, digest ${digest}, ${gaps.length} gaps`,
  );
  for (const { from, to } of gaps) console.log(`not indexed: blocks ${from} to ${to}`);
  process.exitCode = gaps.length > 0 ? 1 : 0;
}
