import { Readiness } from '#runtime/metrics/readiness.ts';
import { createStoreChecks, type StoreChecks } from '#sql/store-checks.ts';
import { indexInfo } from '../read/chain/freshness.ts';
import type { CoverageDeps, SnapshotDeps, StoreDeps } from '../read/reader-deps.ts';

interface ReadinessDeps extends CoverageDeps, SnapshotDeps, Pick<StoreDeps, 'database'> {
  readonly settings: CoverageDeps['settings'] & { readonly readyMaxLagBlocks: number };
}

export function apiReadiness(deps: ReadinessDeps, store: StoreChecks = createStoreChecks(deps.database)): Readiness {
  const { database, schema } = store;
  return new Readiness({ database, schema, index: () => checkIndex(deps) });
}

async function checkIndex(deps: ReadinessDeps): Promise<string | undefined> {
  const state = await deps.snapshots.current();
  if (!state) return 'no block is indexed yet';
  const { lagBlocks } = indexInfo(deps, state);
  const limit = deps.settings.readyMaxLagBlocks;
  return lagBlocks > limit ? `the index is ${lagBlocks} blocks behind the chain, limit ${limit}` : undefined;
}
