/** Whether this instance of the API can answer, at /readyz: the database, its schema, and how far the index is behind. */
import { Readiness } from '#runtime/metrics/readiness.ts';
import { checksOf, type StoreChecks } from '#sql/store-checks.ts';
import { indexInfo } from '../read/chain/freshness.ts';
import type { CoverageDeps, SnapshotDeps, StoreDeps } from '../read/reader-deps.ts';

interface ReadinessDeps extends CoverageDeps, SnapshotDeps, Pick<StoreDeps, 'database'> {
  readonly settings: CoverageDeps['settings'] & { readonly readyMaxLagBlocks: number };
}

/** @param store checks over a connection of their own; absent: over the one of the requests */
export function apiReadiness(deps: ReadinessDeps, store: StoreChecks = checksOf(deps.database)): Readiness {
  const { database, schema } = store;
  return new Readiness({ database, schema, index: () => indexFault(deps) });
}

/** Undefined: nothing is wrong. */
async function indexFault(deps: ReadinessDeps): Promise<string | undefined> {
  const state = await deps.snapshots.current();
  if (!state) return 'nothing is indexed yet';
  const { lagBlocks } = indexInfo(deps, state);
  const limit = deps.settings.readyMaxLagBlocks;
  return lagBlocks > limit ? `${lagBlocks} blocks behind, ${limit} are borne` : undefined;
}
