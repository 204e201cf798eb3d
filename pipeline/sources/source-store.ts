import { RowWriter } from '#sql/row-writer.ts';
import type { StoreDeps } from '../deps.ts';
import type { FetchedDocument } from './fetch-document.ts';

export type SourceName = 'registry_manifest' | 'ecosystem_directory';

export interface StoredSource {
  readonly sha256: string | undefined;
  readonly version: string;
  readonly entries: number;
  /** Last successful check, Unix ms; 0 if none. */
  readonly succeededAtMs: number;
}

export async function readStored({ database }: StoreDeps, name: SourceName): Promise<StoredSource> {
  const rows = await database.read('source_document', { name });
  const [stored, check] = [1, 2].map((part) => rows.find((row) => row.part === part));
  const { version = '', entry_count = 0 } = stored ?? {};
  const succeededAtMs = Number(check?.second_ms ?? 0);
  return { sha256: stored?.sha256_hex.slice(2), version, entries: Number(entry_count), succeededAtMs };
}

export interface DocumentFacts {
  readonly version: string;
  readonly generatedAt: string;
  readonly entries: number;
}

/** Stores a document as the current version. First store all its entries. */
export async function storeDocument(
  { database }: StoreDeps,
  name: SourceName,
  { bytes, sha256, source }: FetchedDocument,
  facts: DocumentFacts,
): Promise<void> {
  const w = new RowWriter(bytes.length + 512);
  w.text(name);
  w.fixed(`0x${sha256}`, 32);
  w.text(source);
  w.text(facts.version);
  w.uint32(Math.min(Math.max(0, Math.floor(Date.parse(facts.generatedAt) / 1000)), 4_294_967_295));
  w.uint32(facts.entries);
  w.data(`0x${bytes.toString('hex')}`);
  w.uint64(Date.now());
  await database.insertRowBinary('source_documents', w.view());
}

/** @param fault error text; undefined if the document was valid */
export async function recordCheck(deps: StoreDeps, name: SourceName, source: string, fault?: string): Promise<void> {
  const succeededAtMs = fault === undefined ? Date.now() : (await readStored(deps, name)).succeededAtMs;
  const w = new RowWriter(512);
  w.text(name);
  w.text(source);
  w.uint64(Date.now());
  w.uint64(succeededAtMs);
  w.text((fault ?? '').slice(0, 2_000));
  await deps.database.insertRowBinary('source_checks', w.view());
}
