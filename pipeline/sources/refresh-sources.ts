import { parseDirectory } from '#registry/directory.ts';
import type { Log } from '#runtime/log.ts';
import { pause } from '#runtime/shutdown.ts';
import type { StoreDeps } from '../deps.ts';
import type { PipelineMetrics } from '../metrics.ts';
import { type FetchedDocument, fetchDocument, publicName, toText } from './fetch-document.ts';
import { importManifest } from './import-manifest.ts';
import type { DocumentLimits, SourceSettings } from './source-settings.ts';
import { readStored, recordCheck, type SourceName, storeDocument } from './source-store.ts';

interface Deps extends StoreDeps {
  readonly metrics?: PipelineMetrics;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly settings: { readonly chainId: number; readonly sources?: SourceSettings };
}

export async function watchSources(deps: Deps): Promise<void> {
  const { settings, signal, log } = deps;
  if (!settings.sources) return;
  while (!signal.aborted) {
    await refreshSources(deps).catch((error: unknown) => {
      if (!signal.aborted) log.warn({ event: 'job_error', job: 'sources', error: String(error) });
    });
    await pause(settings.sources.refreshMs, signal);
  }
}

/**
 * Reads the registry manifest and the ecosystem directory once. After a failure, records the error, and the previous
 * document stays in use.
 */
export async function refreshSources(deps: Deps): Promise<void> {
  const { chainId, sources } = deps.settings;
  if (!sources) return;
  const { registryUrl, registrySha256, directoryUrl, limits } = sources;
  await look(deps, 'registry_manifest', { location: registryUrl, limits }, (document) =>
    importManifest(deps, document, { chainId, sha256: registrySha256 }),
  );
  await look(deps, 'ecosystem_directory', { location: directoryUrl, limits }, (document) =>
    storeDirectory(deps, document),
  );
}

async function look(
  deps: Deps,
  name: SourceName,
  { location, limits }: { location: string | undefined; limits: DocumentLimits },
  store: (document: FetchedDocument) => Promise<unknown>,
): Promise<void> {
  if (location === undefined) return;
  try {
    await store(await fetchDocument(location, limits, deps.signal));
    deps.metrics?.recordSource(name, true);
  } catch (error) {
    if (deps.signal.aborted) return;
    const fault = (error as Error).message;
    deps.metrics?.recordSource(name, false);
    deps.log.warn({ event: 'source_error', source: name, error: fault });
    await recordCheck(deps, name, publicName(location), fault);
  }
}

async function storeDirectory(deps: StoreDeps, document: FetchedDocument): Promise<void> {
  const before = await readStored(deps, 'ecosystem_directory');
  if (before.sha256 !== document.sha256) {
    const { version = '', generatedAt, entries } = parseDirectory(toText(document));
    await storeDocument(deps, 'ecosystem_directory', document, { version, generatedAt, entries: entries.length });
  }
  await recordCheck(deps, 'ecosystem_directory', document.source);
}
