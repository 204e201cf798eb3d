import { open, rename } from 'node:fs/promises';
import type { Certificate, Cordscan, ExportKind, ExportOptions } from './index.ts';

/**
 * Writes an export as NDJSON. The file is named `<path>.part` until its rows match the certificate.
 * @throws as Cordscan.exportBatches(), and file system errors
 */
export async function exportToFile(
  cordscan: Cordscan,
  path: string,
  kind: ExportKind,
  options: ExportOptions = {},
): Promise<Certificate> {
  const part = `${path}.part`;
  const file = await open(part, 'w');
  try {
    const batches = cordscan.exportBatches(kind, options);
    for (;;) {
      const { done, value } = await batches.next();
      if (done) {
        await file.sync();
        await rename(part, path);
        return value;
      }
      await file.writeFile(value.map((row) => `${JSON.stringify(row)}\n`).join(''));
    }
  } finally {
    await file.close();
  }
}
