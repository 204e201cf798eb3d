/** Counts and digests the rows of an export file. */
import { createReadStream } from 'node:fs';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import type { ExportKind } from '#api/read/export/kinds.ts';
import { RowDigest } from '#client/index.ts';
import { RowChecker } from './check-rows.ts';

export async function digestOfParquet(path: string, kind: ExportKind): Promise<RowDigest> {
  const digest = new RowDigest(kind);
  await digest.add(await parquetReadObjects({ file: await asyncBufferFromFile(path), compressors }));
  return digest;
}

/** @returns undefined if the format has no reader */
export async function digestOfFile(path: string, kind: ExportKind): Promise<RowDigest | undefined> {
  if (path.endsWith('.parquet')) return digestOfParquet(path, kind);
  const format = /\.(ndjson|csv)$/.exec(path)?.[1];
  if (format !== 'ndjson' && format !== 'csv') return undefined;
  const checker = new RowChecker(kind, format);
  for await (const _ of createReadStream(path).pipe(checker));
  return checker.digest;
}
