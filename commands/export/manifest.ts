import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExportFormat, ExportKind } from '#api/read/export/kinds.ts';

/** Options of an export, the same for all runs into a directory. */
export interface ExportSelection {
  readonly source: string;
  readonly kind: ExportKind;
  readonly format: ExportFormat;
  readonly address: string | null;
  readonly token: string | null;
  readonly fromBlock: number;
}

export interface ExportedPart {
  readonly file: string;
  readonly fromBlock: number;
  readonly toBlock: number;
  readonly rows: number;
  readonly digest: string;
  readonly bytes: number;
  /** Signed certificate, a compact JWS. Exports of older versions have none. */
  readonly signature?: string;
  readonly gaps: readonly { readonly from: number; readonly to: number }[];
}

export interface Manifest {
  readonly selection: ExportSelection;
  readonly toBlock: number;
  readonly rows: number;
  /** Sum of the digests of all exported files. */
  readonly digest: string;
  readonly parts: readonly ExportedPart[];
}

class OtherSelectionError extends Error {
  override readonly name = 'OtherSelectionError';
}

/** @throws OtherSelectionError if the directory contains another export */
export async function openManifest(directory: string, selection: ExportSelection): Promise<Manifest> {
  const text = await readFile(join(directory, 'manifest.json'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (text === undefined) return summed(selection, []);
  const found = JSON.parse(text) as Manifest;
  if (JSON.stringify(found.selection) !== JSON.stringify(selection))
    throw new OtherSelectionError(
      `${directory} holds an export with other options (${JSON.stringify(found.selection)}): use another directory`,
    );
  return found;
}

/** Adds a file, or replaces the file of the same blocks. */
export async function storePart(
  directory: string,
  { selection, parts }: Manifest,
  part: ExportedPart,
): Promise<Manifest> {
  const others = parts.filter(({ fromBlock }) => fromBlock !== part.fromBlock);
  const next = summed(
    selection,
    [...others, part].sort((a, b) => a.fromBlock - b.fromBlock),
  );
  const path = join(directory, 'manifest.json');
  await writeFile(`${path}.new`, `${JSON.stringify(next, undefined, 2)}\n`, { flush: true });
  await rename(`${path}.new`, path);
  return next;
}

function summed(selection: ExportSelection, parts: readonly ExportedPart[]): Manifest {
  const digest = parts.reduce((sum, part) => BigInt.asUintN(64, sum + BigInt(`0x${part.digest}`)), 0n);
  return {
    selection,
    toBlock: parts.at(-1)?.toBlock ?? selection.fromBlock - 1,
    rows: parts.reduce((sum, { rows }) => sum + rows, 0),
    digest: digest.toString(16).padStart(16, '0'),
    parts,
  };
}
