/** Whether this instance of the API can answer, at /readyz: the database, its schema, and how far the index is behind. */
import { Readiness } from '#runtime/metrics/readiness.ts';
import { checksOf, type StoreChecks } from '#sql/store-checks.ts';
import type { ApiDeps } from '../deps.ts';
import { indexInfo } from '../read/chain/freshness.ts';

type Deps = Pick<ApiDeps, 'database' | 'snapshots' | 'client' | 'fleet' | 'settings'>;

/** @param store checks over a connection of their own; absent: over the one of the requests */
export function apiReadiness(deps: Deps, store: StoreChecks = checksOf(deps.database)): Readiness {
  const { database, schema } = store;
  return new Readiness({ database, schema, index: () => indexFault(deps) });
}

/** Undefined: nothing is wrong. */
async function indexFault(deps: Deps): Promise<string | undefined> {
  const state = await deps.snapshots.current();
  if (!state) return 'nothing is indexed yet';
  const { lagBlocks } = indexInfo(deps, state);
  const limit = deps.settings.readyMaxLagBlocks;
  return lagBlocks > limit ? `${lagBlocks} blocks behind, ${limit} are borne` : undefined;
}
