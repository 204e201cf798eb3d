import { fetchDocument } from '#pipeline/sources/fetch-document.ts';
import { importManifest } from '#pipeline/sources/import-manifest.ts';
import type { Config } from '#runtime/config.ts';
import { createLog } from '#runtime/log.ts';
import { openDatabase } from '#sql/open-database.ts';

const waitMs = 10_000;
const maxListed = 100_000;

/** Replaces the registry of named entities by a manifest. Sets exit code 1 on an error. */
export async function runRegistryImport(config: Config, location: string, sha256: string | undefined): Promise<void> {
  const log = createLog('registry', config.LOG_LEVEL);
  const database = await openDatabase(config, { log, waitMs });
  try {
    const limits = { maxBytes: config.SOURCES_MAX_BYTES, timeoutMs: 1000 * config.SOURCES_TIMEOUT_SECONDS };
    const document = await fetchDocument(location, limits);
    const imported = await importManifest({ database }, document, { chainId: config.CHAIN_ID, sha256 });
    console.log(JSON.stringify(imported));
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  } finally {
    await database.close();
  }
}

/** Prints one integration request per line, newest first. */
export async function runIntegrationList(config: Config): Promise<void> {
  const log = createLog('integration', config.LOG_LEVEL);
  const database = await openDatabase(config, { log, waitMs, migrates: false });
  const requests = await database.read('integration_requests_newest', { limit: maxListed });
  for (const { received_ms, ...request } of requests)
    console.log(JSON.stringify({ receivedAt: new Date(Number(received_ms)).toISOString(), ...request }));
  await database.close();
}
