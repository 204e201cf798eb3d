import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import type { ExportKind } from '#api/read/export/kinds.ts';
import { RowDigest } from '#client/index.ts';
import { RowChecker } from './check-rows.ts';

/** Reads by row group, because a file may have millions of rows. */
export async function digestOfParquet(path: string, kind: ExportKind): Promise<RowDigest> {
  const digest = new RowDigest(kind);
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file);
  let rowStart = 0;
  for (const group of metadata.row_groups) {
    const rowEnd = rowStart + Number(group.num_rows);
    await digest.add(await parquetReadObjects({ file, metadata, compressors, rowStart, rowEnd }));
    rowStart = rowEnd;
  }
  return digest;
}

/** @returns undefined if the format has no reader */
export async function digestOfFile(path: string, kind: ExportKind): Promise<RowDigest | undefined> {
  if (path.endsWith('.parquet')) return digestOfParquet(path, kind);
  const format = /\.(ndjson|csv)$/.exec(path)?.[1];
  if (format !== 'ndjson' && format !== 'csv') return undefined;
  const checker = new RowChecker(kind, format);
  await pipeline(createReadStream(path), checker, async (rows) => {
    for await (const _ of rows);
  });
  return checker.digest;
}
