import { registryKinds } from '#registry/kinds.ts';
import { type ManifestEntity, ManifestError, parseManifest } from '#registry/manifest.ts';
import { RowWriter } from '#sql/row-writer.ts';
import type { StoreDeps } from '../deps.ts';
import { type FetchedDocument, toText } from './fetch-document.ts';
import { readStored, recordCheck, storeDocument } from './source-store.ts';

export interface ManifestImport {
  readonly chainId: number;
  readonly sha256?: string | undefined;
}

export interface ImportedManifest {
  readonly outcome: 'imported' | 'unchanged';
  readonly sha256: string;
  readonly version: string;
  readonly entities: number;
}

/** Far below ClickHouse's block size. */
const entitiesPerInsert = 100_000;
/** Time until rows of a replaced manifest are deleted, seconds: readers may still use them. */
const retentionSeconds = 3_600;

/**
 * Imports the registry manifest (names of accounts and contracts). Inserts entries under its hash, then makes the hash
 * current, so that readers never see a partial manifest. May be repeated.
 * @throws ManifestError for a wrong hash or invalid content; StoreError
 */
export async function importManifest(
  deps: StoreDeps,
  document: FetchedDocument,
  { chainId, sha256 }: ManifestImport,
): Promise<ImportedManifest> {
  if (sha256 !== undefined && sha256.toLowerCase() !== document.sha256)
    throw new ManifestError([`the manifest's SHA-256 is ${document.sha256}, expected ${sha256.toLowerCase()}`]);
  const before = await readStored(deps, 'registry_manifest');
  // skip an unchanged manifest: parsing a large one blocks this process, which follows the chain, for seconds
  if (before.sha256 === document.sha256) {
    await recordCheck(deps, 'registry_manifest', document.source);
    return { outcome: 'unchanged', sha256: document.sha256, version: before.version, entities: before.entries };
  }
  const manifest = parseManifest(toText(document), chainId);
  const facts = { version: manifest.version, generatedAt: manifest.generatedAt, entries: manifest.entities.length };
  const imported = { sha256: document.sha256, version: manifest.version, entities: facts.entries };
  for (let at = 0; at < manifest.entities.length; at += entitiesPerInsert)
    await insertEntities(deps, document.sha256, manifest.entities.slice(at, at + entitiesPerInsert));
  await storeDocument(deps, 'registry_manifest', document, facts);
  await recordCheck(deps, 'registry_manifest', document.source);
  await deleteReplaced(deps, [document.sha256, before.sha256 ?? document.sha256]);
  return { outcome: 'imported', ...imported };
}

async function insertEntities(
  { database }: StoreDeps,
  hash: string,
  entities: readonly ManifestEntity[],
): Promise<void> {
  const w = new RowWriter(1 << 20);
  const now = Math.floor(Date.now() / 1000);
  const bytes = (hex: string | undefined, length: number) => {
    w.isNull(hex === undefined);
    if (hex !== undefined) w.fixed(hex, length);
  };
  for (const entity of entities) {
    w.fixed(`0x${hash}`, 32);
    w.uint8(registryKinds.indexOf(entity.kind) + 1);
    w.fixed(entity.id, 32);
    w.text(entity.label);
    bytes(entity.address, 20);
    w.text(entity.category ?? '');
    w.text(entity.description ?? '');
    w.text(entity.url ?? '');
    bytes(entity.parent, 32);
    w.text(JSON.stringify(entity.attributes ?? {}));
    w.uint32(now);
    w.endRow();
  }
  await database.insertRowBinary('registry_entities', w.chunks);
}

async function deleteReplaced({ database }: StoreDeps, kept: readonly string[]): Promise<void> {
  for (const table of ['registry_entities', 'registry_labels'])
    await database.execute('forget_manifests', {
      table,
      kept: [...new Set(kept)],
      before: Math.floor(Date.now() / 1000) - retentionSeconds,
    });
}
