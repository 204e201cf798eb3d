/** Loads the bundled data under sql/reference. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from './client.ts';
import { RowWriter } from './row-writer.ts';

/** Priority of signatures by source. Of equal signatures, the highest priority is valid. */
export const signaturePriority = { bundled: 3, verified: 2, server: 1 } as const;

export interface SignatureRow {
  /** 4 or 32 bytes, 0x hex. */
  readonly selector: string;
  readonly kind: string;
  readonly signature: string;
  readonly indexed: number;
  readonly declaration: string;
  readonly origin: string;
}

export async function storeSignatures(
  database: Database,
  rows: readonly SignatureRow[],
  source: keyof typeof signaturePriority,
): Promise<void> {
  if (rows.length === 0) return;
  const w = new RowWriter(1 << 16);
  for (const { selector, kind, signature, indexed, declaration, origin } of rows) {
    w.data(selector);
    w.text(kind);
    w.text(signature);
    w.uint32(indexed);
    w.uint8(signaturePriority[source]);
    w.text(declaration);
    w.text(origin);
  }
  await database.insertRowBinary('signatures', w.view());
}

/** Loads sql/reference/signatures.tsv, unless the database has the same version. */
export async function loadReferenceData(database: Database): Promise<void> {
  const text = readFileSync(join(import.meta.dirname, 'reference/signatures.tsv'), 'utf8');
  const sha256 = createHash('sha256').update(text).digest('hex');
  const [loaded] = await database.read('reference_data', { name: 'signatures' });
  if (loaded?.sha256 === sha256) return;
  await storeSignatures(database, parseSignatures(text), 'bundled');
  const w = new RowWriter(256);
  w.text('signatures');
  w.text(sha256);
  w.uint64(Date.now());
  await database.insertRowBinary('reference_data', w.view());
}

/** Parses tab-separated signatures. The first line names the columns. */
export function parseSignatures(text: string): SignatureRow[] {
  return text
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [selector = '', kind = '', signature = '', indexed = '', declaration = '', origin = ''] = line.split('\t');
      return { selector, kind, signature, indexed: Number(indexed), declaration, origin };
    });
}
